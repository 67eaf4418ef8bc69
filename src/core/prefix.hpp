// The prefix of an id: 1 to 63 lower-case letters and underscores, a letter first and last; the
// empty prefix stands for a bare ULID. Source: TypeID specification 0.3, "Type Prefix".
#pragma once

#include "core/base32.hpp"

#include <string_view>

namespace pulid {

inline constexpr std::size_t max_prefix_bytes = 63;

constexpr bool is_lower(char character) { return character >= 'a' && character <= 'z'; }

constexpr bool is_upper(char character) { return character >= 'A' && character <= 'Z'; }

constexpr bool is_digit(char character) { return character >= '0' && character <= '9'; }

constexpr char to_lower(char character)
{
    return is_upper(character) ? static_cast<char>(character - 'A' + 'a') : character;
}

// Copies a prefix to output, folding its case if asked to. False, with unspecified output, if it
// breaks a rule. This is the only place that knows the rule; find_prefix_error() only words it.
template <Case letters> constexpr bool copy_prefix(std::string_view prefix, char *output)
{
    if (prefix.size() > max_prefix_bytes)
        return false;
    if (prefix.empty())
        return true;
    for (const char original : prefix) {
        const char character = letters == Case::fold ? to_lower(original) : original;
        if (!is_lower(character) && character != '_')
            return false;
        *output++ = character;
    }
    return prefix.front() != '_' && prefix.back() != '_';
}

constexpr bool is_prefix(std::string_view prefix)
{
    char copy[max_prefix_bytes];
    return copy_prefix<Case::exact>(prefix, copy);
}

} // namespace pulid
