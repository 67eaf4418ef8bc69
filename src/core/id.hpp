// The value: how it is stored, how it is ordered, how it is printed.
//
// Stored bytes, the same in memory, on disk and on every byte order (frozen from 1.0 on):
//
//     [ prefix: 0 to 63 bytes ][ body: 16 bytes, big-endian ]
//
// The length of the whole tells where the body begins, so the separator need not be stored.
//
// Order is byte order of the printed text "prefix_body". '_' sorts below every letter, and the body
// begins with a digit, which sorts below '_'; so where one prefix ends and the other goes on, the
// shorter one comes first ("a_0..." before "a_b_0..." before "ab_0...", bare ULIDs before all).
// What remains is the order of the bodies, and base32 keeps that.
#pragma once

#include "core/prefix.hpp"

#include <type_traits>

namespace pulid {

inline constexpr std::size_t max_stored_bytes = max_prefix_bytes + body_bytes;
inline constexpr std::size_t max_text_bytes = max_prefix_bytes + 1 + body_characters;

// An id that lives elsewhere, usually inside a Datum.
struct IdView {
    const char *bytes;
    std::size_t size; // body_bytes to max_stored_bytes

    constexpr std::string_view prefix() const { return {bytes, size - body_bytes}; }
    constexpr Ulid body() const { return load_ulid(bytes + size - body_bytes); }

    constexpr std::size_t text_size() const
    {
        return size == body_bytes ? body_characters : size - body_bytes + 1 + body_characters;
    }
};

// An id with room for the longest prefix. Bytes behind the size are left as they were.
struct Id {
    std::size_t size;
    char bytes[max_stored_bytes];

    constexpr Id() = default;

    // The caller has checked the prefix.
    constexpr Id(std::string_view prefix, Ulid body) { assign(prefix, body); }

    constexpr void assign(std::string_view prefix, Ulid body)
    {
        size = prefix.size() + body_bytes;
        std::char_traits<char>::copy(bytes, prefix.data(), prefix.size());
        store_ulid(body, bytes + prefix.size());
    }

    constexpr IdView view() const { return {bytes, size}; }
    constexpr operator IdView() const { return view(); }
};

static_assert(std::is_trivially_copyable_v<Id> && std::is_trivially_destructible_v<Id>);

constexpr int sign(int value) { return (value > 0) - (value < 0); }

// Negative, zero or positive as the order above has it: -1, 0 or 1.
constexpr int compare(IdView left, IdView right)
{
    // Equally long ids have equally long prefixes, and then the stored bytes are in order as they
    // are.
    if (left.size == right.size)
        return sign(std::char_traits<char>::compare(left.bytes, right.bytes, left.size));
    return sign(left.prefix().compare(right.prefix()));
}

constexpr bool equal(IdView left, IdView right)
{
    return left.size == right.size &&
           std::char_traits<char>::compare(left.bytes, right.bytes, left.size) == 0;
}

// Writes text_size() characters, no terminator.
constexpr void print(IdView id, char *text)
{
    const std::string_view prefix = id.prefix();
    if (!prefix.empty()) {
        std::char_traits<char>::copy(text, prefix.data(), prefix.size());
        text += prefix.size();
        *text++ = '_';
    }
    encode_body(id.body(), text);
}

// The character at a position of the printed text, which must be less than text_size().
constexpr char text_character(IdView id, std::size_t position)
{
    const std::string_view prefix = id.prefix();
    if (position < prefix.size())
        return prefix[position];
    if (prefix.empty())
        return body_character(id.body(), position);
    return position == prefix.size() ? '_'
                                     : body_character(id.body(), position - prefix.size() - 1);
}

// How many leading bytes the printed id has in common with a text. Nothing is encoded beyond the
// first difference: most comparisons in an index end in the prefix or in the first clock digits.
constexpr std::size_t common_size(IdView id, std::string_view text)
{
    const std::string_view prefix = id.prefix();
    std::size_t position = 0;
    while (position < prefix.size()) {
        if (position == text.size() || text[position] != prefix[position])
            return position;
        position++;
    }
    if (!prefix.empty()) {
        if (position == text.size() || text[position] != '_')
            return position;
        position++;
    }
    const Ulid body = id.body();
    for (std::size_t i = 0; i < body_characters; i++) {
        if (position == text.size() || text[position] != body_character(body, i))
            return position;
        position++;
    }
    return position;
}

// Byte order of the printed id against any text: -1, 0 or 1. Bytes of the text behind the first
// max_text_bytes + 1 make no difference.
constexpr int compare_with_text(IdView id, std::string_view text)
{
    const std::size_t common = common_size(id, text);
    if (common == text.size())
        return common == id.text_size() ? 0 : 1;
    if (common == id.text_size())
        return -1;
    const auto ours = static_cast<unsigned char>(text_character(id, common));
    return ours < static_cast<unsigned char>(text[common]) ? -1 : 1;
}

constexpr bool starts_with(IdView id, std::string_view text)
{
    return common_size(id, text) == text.size();
}

} // namespace pulid
