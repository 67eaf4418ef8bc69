// Crockford's base32 as ULID and TypeID use it: 26 characters for 128 bits, most significant first.
// 26 characters could carry 130 bits, so the first one is only 0 to 7. The aliases that Crockford
// allows (i, l for 1, o for 0) are refused here: one value has one text. tidy.hpp forgives them.
#pragma once

#include "core/ulid.hpp"

namespace pulid {

inline constexpr std::size_t body_characters = 26;
inline constexpr char base32_alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";

// Whether ASCII upper case is read as lower case.
enum class Case { exact, fold };

namespace detail {

inline constexpr unsigned char not_base32 = 0xff;

struct DecodeTable {
    unsigned char digit[256];
};

template <Case letters> consteval DecodeTable make_decode_table()
{
    DecodeTable table{};
    for (unsigned char &digit : table.digit)
        digit = not_base32;
    for (unsigned char value = 0; value < 32; value++) {
        const char character = base32_alphabet[value];
        table.digit[static_cast<unsigned char>(character)] = value;
        if (letters == Case::fold && character >= 'a')
            table.digit[static_cast<unsigned char>(character - 'a' + 'A')] = value;
    }
    return table;
}

template <Case letters> inline constexpr DecodeTable decode_table = make_decode_table<letters>();

// Two characters for each ten bits: half the steps of one character for five.
struct EncodeTable {
    char pair[1024][2];
};

consteval EncodeTable make_encode_table()
{
    EncodeTable table{};
    for (unsigned bits = 0; bits < 1024; bits++) {
        table.pair[bits][0] = base32_alphabet[bits >> 5];
        table.pair[bits][1] = base32_alphabet[bits & 31];
    }
    return table;
}

inline constexpr EncodeTable encode_table = make_encode_table();

} // namespace detail

template <Case letters> constexpr bool is_base32(char character)
{
    return detail::decode_table<letters>.digit[static_cast<unsigned char>(character)] !=
           detail::not_base32;
}

// Reads body_characters characters. False, and an unspecified ulid, if one is not base32 or the
// value needs more than 128 bits.
template <Case letters> constexpr bool decode_body(const char *text, Ulid &ulid)
{
    const auto digit = [text](std::size_t i) -> std::uint64_t {
        return detail::decode_table<letters>.digit[static_cast<unsigned char>(text[i])];
    };
    std::uint64_t seen = 0; // all digits or-ed: its upper bits are set if one is not base32
    std::uint64_t upper = digit(0);
    const bool overflow = upper > 7;
    for (std::size_t i = 1; i < 13; i++) {
        seen |= digit(i);
        upper = (upper << 5) | digit(i);
    }
    const std::uint64_t middle = digit(13); // one bit of the upper word, four of the lower
    seen |= middle;
    std::uint64_t lower = middle & 15;
    for (std::size_t i = 14; i < body_characters; i++) {
        seen |= digit(i);
        lower = (lower << 5) | digit(i);
    }
    ulid = {(upper << 1) | ((middle >> 4) & 1), lower};
    return !overflow && seen < 32;
}

// A body is 13 pairs of characters, ten bits each but for the first, which has eight.
inline constexpr std::size_t body_pairs = body_characters / 2;

// The two characters of a pair, without encoding the others.
constexpr const char *body_pair(Ulid ulid, std::size_t pair)
{
    const std::size_t shift = 120 - 10 * pair;
    std::uint64_t bits = 0;
    if (shift >= 64)
        bits = ulid.high >> (shift - 64);
    else if (shift == 60)
        bits = (ulid.high << 4) | (ulid.low >> 60);
    else
        bits = ulid.low >> shift;
    return detail::encode_table.pair[bits & 1023];
}

// Writes body_characters lower-case characters, no terminator.
constexpr void encode_body(Ulid ulid, char *text)
{
    for (std::size_t pair = 0; pair < body_pairs; pair++) {
        const char *characters = body_pair(ulid, pair);
        *text++ = characters[0];
        *text++ = characters[1];
    }
}

} // namespace pulid
