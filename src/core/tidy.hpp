// What a person typed, to an id, or nothing where two readings are possible.
//
// Forgiven everywhere: white space, hyphens, case. In the body: i and l for 1, o for 0. Where the
// caller names the prefix, each of its underscores and the separator may also be a space, a hyphen
// or missing. Where not, blanks inside the prefix are refused: "pre fix_..." could be prefix or
// pre_fix. A text that reads as an id of another prefix is never read as one of the prefix named.
#pragma once

#include "core/text.hpp"

namespace pulid {

namespace detail {

constexpr bool is_blank(char character)
{
    return character == ' ' || character == '-' || (character >= '\t' && character <= '\r');
}

// What is left of a text, read from the front.
class Typed {
  public:
    constexpr explicit Typed(std::string_view text) : rest_(text) {}

    constexpr void skip_blanks()
    {
        while (!rest_.empty() && is_blank(rest_.front()))
            rest_.remove_prefix(1);
    }

    constexpr bool take(char character)
    {
        if (rest_.empty() || to_lower(rest_.front()) != character)
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    // The next character in lower case; at the end a NUL, which is in no id.
    constexpr char next()
    {
        if (rest_.empty())
            return '\0';
        const char character = to_lower(rest_.front());
        rest_.remove_prefix(1);
        return character;
    }

    constexpr bool at_end() const { return rest_.empty(); }

  private:
    std::string_view rest_;
};

constexpr bool tidy_body(Typed &typed, Ulid &body)
{
    char text[body_characters];
    for (char &character : text) {
        typed.skip_blanks();
        character = typed.next();
        if (character == 'i' || character == 'l')
            character = '1';
        else if (character == 'o')
            character = '0';
    }
    typed.skip_blanks();
    return typed.at_end() && decode_body<Case::exact>(text, body);
}

constexpr bool tidy_known_prefix(Typed &typed, std::string_view prefix)
{
    for (const char character : prefix) {
        typed.skip_blanks();
        if (!typed.take(character) && character != '_')
            return false;
    }
    typed.skip_blanks();
    if (!prefix.empty())
        typed.take('_');
    return true;
}

// Copies what stands before the separator, without blanks at its ends. False if blanks stand
// inside.
constexpr bool tidy_unknown_prefix(std::string_view text, Id &id)
{
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    id.size = text.size() + body_bytes;
    return !text.empty() && copy_prefix<Case::fold>(text, id.bytes);
}

} // namespace detail

// False, and an unspecified id, if the text is hopeless.
constexpr bool tidy(std::string_view text, Id &id)
{
    std::string_view body_text = text;
    id.size = body_bytes;
    const std::size_t separator = text.rfind('_');
    if (separator != std::string_view::npos) {
        if (!detail::tidy_unknown_prefix({text.data(), separator}, id))
            return false;
        body_text.remove_prefix(separator + 1);
    }
    detail::Typed typed{body_text};
    Ulid body{};
    if (!detail::tidy_body(typed, body))
        return false;
    store_ulid(body, id.bytes + (id.size - body_bytes));
    return true;
}

// The caller has checked the prefix.
constexpr bool tidy_with_prefix(std::string_view text, std::string_view prefix, Id &id)
{
    if (tidy(text, id))
        return id.view().prefix() == prefix;
    detail::Typed typed{text};
    Ulid body{};
    if (!detail::tidy_known_prefix(typed, prefix) || !detail::tidy_body(typed, body))
        return false;
    id.assign(prefix, body);
    return true;
}

} // namespace pulid
