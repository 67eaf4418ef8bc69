// Text to id. parse() decides; find_error() is asked only after it said no, and words the reason.
#pragma once

#include "core/id.hpp"

namespace pulid {

// Reads  [ prefix "_" ] body.  False, and an unspecified id, if the text is anything else.
// The body holds no underscore, so the separator can only stand 27 characters before the end.
template <Case letters> constexpr bool parse(std::string_view text, Id &id)
{
    if (text.size() < body_characters || text.size() > max_text_bytes)
        return false;
    std::size_t prefix_size = 0;
    const char *body_text = text.data() + (text.size() - body_characters);
    if (text.size() > body_characters) {
        prefix_size = text.size() - body_characters - 1;
        if (prefix_size == 0 || text[prefix_size] != '_' ||
            !copy_prefix<letters>({text.data(), prefix_size}, id.bytes))
            return false;
    }
    Ulid body{};
    if (!decode_body<letters>(body_text, body))
        return false;
    id.size = prefix_size + body_bytes;
    store_ulid(body, id.bytes + prefix_size);
    return true;
}

constexpr bool is_canonical(std::string_view text)
{
    Id id;
    return parse<Case::exact>(text, id);
}

enum class TextError {
    none,
    empty,
    body_length,    // number: the length found
    body_character, // position
    body_overflow,  // position
    prefix_empty,
    prefix_length,    // number: the length found
    prefix_character, // position
    prefix_edge,      // position of the underscore
};

// Everything before a position is ASCII, so bytes and characters count alike. So they do in a
// number.
struct TextProblem {
    TextError error;
    std::size_t number; // a length, or a position from 0
};

constexpr TextProblem find_prefix_error(std::string_view prefix, Case letters)
{
    for (std::size_t i = 0; i < prefix.size(); i++) {
        const char character = letters == Case::fold ? to_lower(prefix[i]) : prefix[i];
        if (!is_lower(character) && character != '_')
            return {TextError::prefix_character, i};
    }
    if (prefix.size() > max_prefix_bytes)
        return {TextError::prefix_length, prefix.size()};
    if (!prefix.empty() && prefix.front() == '_')
        return {TextError::prefix_edge, 0};
    if (!prefix.empty() && prefix.back() == '_')
        return {TextError::prefix_edge, prefix.size() - 1};
    return {TextError::none, 0};
}

// Why parse<Case::fold> refuses a text, the most telling reason first: a character that can stand
// in no id, then the length, then the letters that base32 leaves out.
constexpr TextProblem find_error(std::string_view text)
{
    if (text.empty())
        return {TextError::empty, 0};
    const std::size_t separator = text.rfind('_');
    std::size_t begin = 0;
    if (separator != std::string_view::npos) {
        if (separator == 0)
            return {TextError::prefix_empty, 0};
        const TextProblem problem = find_prefix_error({text.data(), separator}, Case::fold);
        if (problem.error != TextError::none)
            return problem;
        begin = separator + 1;
    }
    const std::size_t length = text.size() - begin;
    for (std::size_t i = begin; i < text.size(); i++) {
        const char character = to_lower(text[i]);
        const bool printable = character >= ' ' && character <= '~';
        if (!printable ||
            (length >= body_characters && !is_lower(character) && !is_digit(character)))
            return {TextError::body_character, i};
    }
    if (length != body_characters)
        return {TextError::body_length, length};
    for (std::size_t i = begin; i < text.size(); i++)
        if (!is_base32<Case::fold>(text[i]))
            return {TextError::body_character, i};
    if (text[begin] > '7')
        return {TextError::body_overflow, begin};
    return {TextError::none, 0};
}

} // namespace pulid
