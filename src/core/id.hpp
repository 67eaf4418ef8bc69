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

// Out of line, so that what calls them stays short.
[[gnu::noinline]] constexpr int compare_prefixes(IdView left, IdView right)
{
    return sign(left.prefix().compare(right.prefix()));
}

[[gnu::noinline]] constexpr int compare_bytes(const char *left, const char *right, std::size_t size)
{
    return sign(std::char_traits<char>::compare(left, right, size));
}

// Equally long ids have equally long prefixes, and then the stored bytes are in order as they are.
// The first sixteen nearly always decide, and need no call.
constexpr int compare_equally_long(const char *left, const char *right, std::size_t size)
{
    for (std::size_t i = 0; i < body_bytes; i += 8) {
        const std::uint64_t left_word = load_big_endian(left + i);
        const std::uint64_t right_word = load_big_endian(right + i);
        if (left_word != right_word)
            return left_word < right_word ? -1 : 1;
    }
    return compare_bytes(left + body_bytes, right + body_bytes, size - body_bytes);
}

// Negative, zero or positive as the order above has it: -1, 0 or 1.
constexpr int compare(IdView left, IdView right)
{
    if (left.size != right.size)
        return compare_prefixes(left, right);
    return compare_equally_long(left.bytes, right.bytes, left.size);
}

constexpr bool equal(IdView left, IdView right)
{
    return left.size == right.size && compare_equally_long(left.bytes, right.bytes, left.size) == 0;
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

// How the printed id compares with a text, and whether that is because the text ended first.
struct TextComparison {
    int sign;
    bool text_ended;
};

// Compared piece by piece: most comparisons end in the prefix or the clock digits, and nothing
// behind them is encoded. Bytes of the text behind the first max_text_bytes + 1 make no
// difference.
constexpr TextComparison compare_printed(IdView id, std::string_view text)
{
    const auto compare_piece = [&text](std::string_view piece) -> TextComparison {
        const std::size_t common = piece.size() < text.size() ? piece.size() : text.size();
        const int difference = std::char_traits<char>::compare(piece.data(), text.data(), common);
        if (difference != 0 || common == piece.size()) {
            text.remove_prefix(common);
            return {sign(difference), false};
        }
        return {1, true};
    };
    const std::string_view prefix = id.prefix();
    if (!prefix.empty()) {
        if (const TextComparison result = compare_piece(prefix); result.sign != 0)
            return result;
        if (const TextComparison result = compare_piece("_"); result.sign != 0)
            return result;
    }
    const Ulid body = id.body();
    for (std::size_t i = 0; i < body_characters; i++) {
        const char character = body_pair(body, i / 2)[i % 2];
        if (i == text.size())
            return {1, true};
        if (character != text[i])
            return {static_cast<unsigned char>(character) < static_cast<unsigned char>(text[i]) ? -1
                                                                                                : 1,
                    false};
    }
    text.remove_prefix(body_characters);
    return {text.empty() ? 0 : -1, false};
}

// Byte order of the printed id against any text: -1, 0 or 1.
constexpr int compare_with_text(IdView id, std::string_view text)
{
    return compare_printed(id, text).sign;
}

constexpr bool starts_with(IdView id, std::string_view text)
{
    const TextComparison result = compare_printed(id, text);
    return result.sign == 0 || result.text_ended;
}

} // namespace pulid
