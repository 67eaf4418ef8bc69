// Base32: every digit at every place, everything that is no digit, and the 128 bits both ways.

#include "support.hpp"

using namespace support;

namespace {

// Spelled out, not taken from the source.
constexpr std::string_view digits = "0123456789abcdefghjkmnpqrstvwxyz";

constexpr Bits all_bits = ~Bits{0};

std::string encoded(Ulid ulid)
{
    std::vector<char> text(body_characters, '?');
    encode_body(ulid, text.data());
    return {text.begin(), text.end()};
}

// Five bits at a time from the least significant end.
std::string reference_encoded(Bits bits)
{
    std::string text(26, '?');
    for (std::size_t i = 26; i-- > 0; bits = bits >> 5)
        text[i] = digits[bits.low() & 31];
    return text;
}

template <Case letters> std::optional<Ulid> decoded(std::string_view text)
{
    Ulid ulid{};
    const ExactCopy copy(text);
    if (!decode_body<letters>(std::string_view(copy).data(), ulid))
        return std::nullopt;
    return ulid;
}

constexpr Ulid decoded_at_compile_time(std::string_view text)
{
    Ulid ulid{};
    return decode_body<Case::exact>(text.data(), ulid) ? ulid : Ulid{0xbad, 0xbad};
}

static_assert(decoded_at_compile_time("00000000000000000000000000") == Ulid{0, 0});
static_assert(decoded_at_compile_time("0000000000000g000000000000") == Ulid{1, 0});
static_assert(decoded_at_compile_time("0000000000000f000000000000") == Ulid{0, 0xfULL << 60});
static_assert(decoded_at_compile_time("7zzzzzzzzzzzzzzzzzzzzzzzzz") == ulid_of(all_bits));
static_assert(decoded_at_compile_time("8zzzzzzzzzzzzzzzzzzzzzzzzz") == Ulid{0xbad, 0xbad});
static_assert(decoded_at_compile_time(example_body) ==
              Ulid{0x0195c7b43cca3ac4, 0xc4352e03c3014472});
static_assert(prints_as(known_id(example_body), example_body));

TEST(base32, every_digit_at_every_position)
{
    for (std::size_t position = 0; position < 26; position++) {
        for (std::size_t value = 0; value < 32; value++) {
            std::string text(26, '0');
            text[position] = digits[value];
            SCOPED_TRACE(text);
            if (position == 0 && value > 7) {
                EXPECT_EQ(decoded<Case::exact>(text), std::nullopt);
                EXPECT_EQ(decoded<Case::fold>(text), std::nullopt);
                EXPECT_EQ(decoded<Case::fold>(upper(text)), std::nullopt);
                continue;
            }
            const Ulid expected = ulid_of(Bits{value} << (125 - 5 * position));
            EXPECT_EQ(decoded<Case::exact>(text), expected);
            EXPECT_EQ(decoded<Case::fold>(text), expected);
            EXPECT_EQ(decoded<Case::fold>(upper(text)), expected);
            EXPECT_EQ(encoded(expected), text);
        }
    }
}

TEST(base32, every_other_byte_is_refused_at_every_position)
{
    for (int byte = 0; byte < 256; byte++) {
        const char character = static_cast<char>(byte);
        const bool exact = digits.find(character) != std::string_view::npos;
        const bool fold = digits.find(lower({&character, 1})) != std::string_view::npos;
        EXPECT_EQ(is_base32<Case::exact>(character), exact) << byte;
        EXPECT_EQ(is_base32<Case::fold>(character), fold) << byte;
        for (std::size_t position = 0; position < 26; position++) {
            std::string text(26, '7'); // all bits of a refused digit must be seen among set ones
            text[position] = character;
            const bool small = position > 0 || (byte >= '0' && byte <= '7');
            EXPECT_EQ(decoded<Case::exact>(text).has_value(), exact && small) << byte << position;
            EXPECT_EQ(decoded<Case::fold>(text).has_value(), fold && small) << byte << position;
        }
    }
}

TEST(base32, aliases_and_u_are_no_digits)
{
    for (const char character : std::string_view("iIlLoOuU")) {
        EXPECT_FALSE(is_base32<Case::exact>(character)) << character;
        EXPECT_FALSE(is_base32<Case::fold>(character)) << character;
    }
}

TEST(base32, more_than_128_bits_are_refused)
{
    for (const char first : digits.substr(8)) {
        for (const char rest : {'0', 'z'}) {
            const std::string text = first + std::string(25, rest);
            EXPECT_EQ(decoded<Case::exact>(text), std::nullopt) << text;
            EXPECT_EQ(decoded<Case::fold>(upper(text)), std::nullopt) << text;
        }
    }
}

TEST(base32, every_single_bit_goes_both_ways)
{
    for (unsigned bit = 0; bit < 128; bit++) {
        for (const Bits bits : {Bits{1} << bit, ~(Bits{1} << bit), (Bits{1} << bit) - 1}) {
            const std::string text = reference_encoded(bits);
            EXPECT_EQ(encoded(ulid_of(bits)), text);
            EXPECT_EQ(decoded<Case::exact>(text), ulid_of(bits));
        }
    }
}

TEST(base32, random_values_go_both_ways)
{
    Random random(101);
    for (int i = 0; i < 20000; i++) {
        const Ulid ulid = random.body();
        const std::string text = reference_encoded(bits_of(ulid));
        ASSERT_EQ(encoded(ulid), text);
        ASSERT_EQ(decoded<Case::exact>(text), ulid);
        ASSERT_EQ(decoded<Case::fold>(upper(text)), ulid);
    }
}

} // namespace
