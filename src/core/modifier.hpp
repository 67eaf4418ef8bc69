// A prefix as a type modifier, pulid('prd'), packed into 31 bits so that no registry is needed:
// base 28, six digits, first character most significant; 0 ends the prefix, 1 is '_', 2 to 27 are
// 'a' to 'z'. pulid('') is 0. Codes from 28^6 up, and codes that unpack to no prefix, are reserved.
#pragma once

#include "core/prefix.hpp"

namespace pulid {

inline constexpr std::size_t max_modifier_prefix_bytes = 6;
inline constexpr std::int32_t modifier_limit = 28 * 28 * 28 * 28 * 28 * 28;

// The order-preserving code of one prefix character, 1 to 27; 0 is left for the end.
constexpr unsigned prefix_character_code(char character)
{
    return character == '_' ? 1U : static_cast<unsigned>(character - 'a') + 2U;
}

// The caller has checked the prefix and that it has at most max_modifier_prefix_bytes characters.
constexpr std::int32_t pack_modifier(std::string_view prefix)
{
    std::int32_t modifier = 0;
    for (std::size_t i = 0; i < max_modifier_prefix_bytes; i++) {
        const unsigned code = i < prefix.size() ? prefix_character_code(prefix[i]) : 0U;
        modifier = modifier * 28 + static_cast<std::int32_t>(code);
    }
    return modifier;
}

struct ModifierPrefix {
    bool known; // false: the code is reserved
    std::size_t size;
    char bytes[max_modifier_prefix_bytes];

    constexpr std::string_view prefix() const { return {bytes, size}; }
};

constexpr ModifierPrefix unpack_modifier(std::int32_t modifier)
{
    ModifierPrefix result{};
    if (modifier < 0 || modifier >= modifier_limit)
        return result;
    std::int32_t divisor = modifier_limit / 28;
    for (std::int32_t rest = modifier; rest != 0; rest %= divisor, divisor /= 28) {
        const std::int32_t code = rest / divisor;
        if (code == 0)
            return result; // a hole: 0 is the end, but something follows
        result.bytes[result.size++] = code == 1 ? '_' : static_cast<char>('a' + (code - 2));
    }
    result.known = is_prefix(result.prefix());
    return result;
}

// Whether an id with this prefix may be stored under a modifier. Never true for a reserved one.
constexpr bool modifier_admits(std::int32_t modifier, std::string_view prefix)
{
    return prefix.size() <= max_modifier_prefix_bytes && pack_modifier(prefix) == modifier;
}

} // namespace pulid
