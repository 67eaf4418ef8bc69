// Digit ids: the grammar and its edges, what tidying forgives and what it must not, how many digits
// are enough, and that each group is equally likely.

#include "core/digit_id.hpp"
#include "support.hpp"

using namespace support;

namespace {

constexpr DigitId made_of(std::string_view prefix, std::initializer_list<unsigned> groups)
{
    DigitId id(prefix);
    for (const unsigned group : groups)
        id.append(group);
    return id;
}

static_assert(made_of("ACC", {4821, 937}).view() == "ACC-4821-0937");
static_assert(made_of("JOB", {0, 1, 9999}).view() == "JOB-0000-0001-9999");
static_assert(made_of("ACC", {4821, 937}).digits() == 8);
static_assert(made_of("ZZZ", {1, 2, 3, 4, 5, 6, 7, 8, 9}).view().size() == max_digit_id_bytes);

std::optional<std::string> tidied(std::string_view text)
{
    DigitId id("XXX");
    return tidy_digit_id(ExactCopy(text), id) ? std::optional(std::string(id.view()))
                                              : std::nullopt;
}

bool is_id(std::string_view text, std::string_view prefix, int digits)
{
    return is_digit_id(ExactCopy(text), ExactCopy(prefix), digits);
}

std::string random_digit_id(Random &random, int digits)
{
    std::string text;
    for (int i = 0; i < 3; i++)
        text += static_cast<char>('A' + random.below(26));
    for (int i = 0; i < digits; i++) {
        if (i % 4 == 0)
            text += '-';
        text += static_cast<char>('0' + random.below(10));
    }
    return text;
}

// A for an upper-case letter, 0 for a digit.
std::string shape(std::string text)
{
    for (char &character : text) {
        if (character >= 'A' && character <= 'Z')
            character = 'A';
        else if (character >= '0' && character <= '9')
            character = '0';
    }
    return text;
}

TEST(digit_id, counts_are_multiples_of_four_up_to_36)
{
    for (int digits = -40; digits <= 80; digits++) {
        const bool valid = digits == 4 || digits == 8 || digits == 12 || digits == 16 ||
                           digits == 20 || digits == 24 || digits == 28 || digits == 32 ||
                           digits == 36;
        EXPECT_EQ(is_digit_count(digits), valid) << digits;
    }
    EXPECT_FALSE(is_digit_count(std::numeric_limits<int>::min()));
    EXPECT_FALSE(is_digit_count(std::numeric_limits<int>::max()));
    EXPECT_FALSE(is_digit_count(std::numeric_limits<int>::max() - 3)); // a multiple of four
}

TEST(digit_id, prefixes_are_three_upper_case_letters)
{
    for (const char *prefix : {"AAA", "ZZZ", "ACC", "JOB"})
        EXPECT_TRUE(is_digit_prefix(ExactCopy(prefix))) << prefix;
    for (const char *prefix :
         {"", "A", "AC", "ACCT", "acc", "AcC", "ACc", "aCC", "A1C", "@AA", "AA[", "A-C", "ÄB"})
        EXPECT_FALSE(is_digit_prefix(ExactCopy(prefix))) << prefix;
}

TEST(digit_id, canonical_is_one_form_only)
{
    EXPECT_TRUE(is_id("ACC-4821-0937", "ACC", 8));
    EXPECT_TRUE(is_id("ACC-0000", "ACC", 4));
    EXPECT_TRUE(is_id("JOB-4821-0937-1156", "JOB", 12));
    EXPECT_FALSE(is_id("ACC-4821-0937", "JOB", 8));
    EXPECT_FALSE(is_id("ACC-4821-0937", "ACC", 4));
    EXPECT_FALSE(is_id("ACC-4821-0937", "ACC", 12));
    EXPECT_FALSE(is_id("ACC-4821-0937", "acc", 8));
    EXPECT_FALSE(is_id("acc-4821-0937", "ACC", 8));
    EXPECT_FALSE(is_id("ACC-4821-0937", "ACC", 0));
    EXPECT_FALSE(is_id("ACC-4821-0937", "ACC", -8));
    EXPECT_FALSE(is_id("ACC-4821-0937", "ACC", 9));
    for (const char *text : {"",
                             "A",
                             "ACC",
                             "ACC-",
                             "ACC48210937",
                             "ACC-48210937",
                             "ACC 4821 0937",
                             "ACC-4821 0937",
                             " ACC-4821-0937",
                             "ACC-4821-0937 ",
                             "ACC-4821-0937\n",
                             "ACC-4821-093",
                             "ACC-4821-09371",
                             "ACC-482-10937",
                             "ACC-4821-093O",
                             "ACC_4821_0937",
                             "ACC-4821-0937-",
                             "ACC--482-0937",
                             "ACC-4821–0937",
                             "ACC-+821-0937"})
        EXPECT_FALSE(is_id(text, "ACC", 8)) << text;
}

TEST(digit_id, canonical_agrees_with_the_grammar)
{
    Random random(501);
    for (int i = 0; i < 20000; i++) {
        const int digits = 4 * static_cast<int>(1 + random.below(9));
        std::string text = random_digit_id(random, digits);
        const std::string prefix = text.substr(0, 3);
        const std::string form = shape(text);
        ASSERT_TRUE(is_id(text, prefix, digits)) << text;
        text[random.below(text.size())] = "-AZ09az[@/:, "[random.below(13)];
        ASSERT_EQ(is_id(text, prefix, digits), shape(text) == form && text.substr(0, 3) == prefix)
            << text;
    }
}

TEST(digit_id, tidy_forgives_case_blanks_and_hyphens)
{
    for (const char *text :
         {"ACC-4821-0937", "acc-4821-0937", "Acc48210937", "acc 4821 0937", "  ACC - 4821 - 0937  ",
          "ACC 48 21 09 37", "acc-48210937", "a c c 4 8 2 1 0 9 3 7", "ACC--4821--0937-",
          "\t\r\n\v\fACC\t4821\n0937\r\n", "-ACC-4821-0937", "ACC-482-10937"})
        EXPECT_EQ(tidied(text), "ACC-4821-0937") << text;
    EXPECT_EQ(tidied("zzz0000"), "ZZZ-0000");
    EXPECT_EQ(tidied("job" + std::string(36, '7')),
              "JOB-7777-7777-7777-7777-7777-7777-7777-7777-7777");
}

TEST(digit_id, tidy_gives_up_rather_than_guess)
{
    for (const char *text : {"",
                             " ",
                             "-",
                             "ACC",
                             "ACC-",
                             "AC",
                             "AC-4821-0937",
                             "ACCT-4821-0937",
                             "4821-0937",
                             "ACC-4821-093",
                             "ACC-4821-09377",
                             "ACC-482",
                             "ACC-4821-093O",
                             "ACC-482l-0937",
                             "ACC-4821-0937x",
                             "ACC_4821_0937",
                             "ACC.4821.0937",
                             "ACC-4821–0937",
                             "ACC-4821/0937",
                             "ACC-4821-0937 ACC-4821-0937",
                             "ÄCC-4821-0937",
                             "1CC-4821-0937"})
        EXPECT_EQ(tidied(text), std::nullopt) << text;
    EXPECT_EQ(tidied("ACC" + std::string(37, '1')), std::nullopt);
    EXPECT_EQ(tidied("ACC" + std::string(40, '1')), std::nullopt);
    EXPECT_EQ(tidied(std::string("ACC-4821\0-0937", 14)), std::nullopt);
    EXPECT_EQ(tidied(std::string("ACC-4821-0937\0", 14)), std::nullopt);
}

// Whatever is typed around them: the letters and digits stay, all of them and in their order.
TEST(digit_id, tidy_keeps_letters_and_digits)
{
    Random random(502);
    for (int i = 0; i < 20000; i++) {
        const int digits = 4 * static_cast<int>(1 + random.below(9));
        const std::string id = random_digit_id(random, digits);
        std::string typed;
        for (const char character : id) {
            while (random.one_in(4))
                typed += " -\t\n"[random.below(4)];
            if (character != '-')
                typed += random.one_in(2) ? lower({&character, 1}) : std::string(1, character);
        }
        ASSERT_EQ(tidied(typed), id) << testing::PrintToString(typed);
        // The length is never mended.
        ASSERT_EQ(tidied(typed + "0"), std::nullopt) << testing::PrintToString(typed);
        typed.pop_back();
        ASSERT_EQ(tidied(typed), std::nullopt) << testing::PrintToString(typed);
    }
}

// All there is to the draw: whatever the bits above, of 2^14 draws exactly one makes each group and
// the others are refused. So groups are as uniform as the bits are.
TEST(digit_id, each_group_has_one_draw)
{
    for (const std::uint64_t above :
         {std::uint64_t{0}, std::uint64_t{3}, ~std::uint64_t{0} >> 14}) {
        std::vector<int> draws(group_values);
        int refused = 0;
        for (std::uint64_t random = 0; random < 1 << 14; random++) {
            unsigned group = 0;
            if (!group_from(above << 14 | random, group))
                refused++;
            else
                draws.at(group)++;
        }
        EXPECT_EQ(refused, (1 << 14) - 10'000);
        EXPECT_EQ(draws, std::vector<int>(group_values, 1));
    }
}

TEST(digit_id, groups_print_with_leading_zeros)
{
    for (unsigned group = 0; group < group_values; group++) {
        char expected[16];
        std::snprintf(expected, sizeof expected, "ACC-%04u", group);
        ASSERT_EQ(made_of("ACC", {group}).view(), expected);
    }
}

TEST(digit_id, digits_for_is_the_smallest_that_is_enough)
{
    const auto enough = [](std::int64_t rows, int digits) { // 10^5 rows < 10^digits
        Bits space = 1;
        for (int i = 0; i < digits; i++)
            space = space * 10;
        return Bits{100'000} * static_cast<std::uint64_t>(rows) < space;
    };
    std::vector<std::int64_t> numbers = {0, 1, std::numeric_limits<std::int64_t>::max()};
    for (std::int64_t power = 10; power <= 1'000'000'000'000'000'000 / 10; power *= 10)
        numbers.insert(numbers.end(), {power - 1, power, power + 1});
    for (const std::int64_t rows : numbers) {
        const int digits = digits_for(rows);
        EXPECT_TRUE(is_digit_count(digits)) << rows;
        EXPECT_TRUE(enough(rows, digits)) << rows;
        EXPECT_TRUE(digits == 4 || !enough(rows, digits - 4)) << rows;
    }
    EXPECT_EQ(digits_for(0), 4);
    EXPECT_EQ(digits_for(999), 8);
    EXPECT_EQ(digits_for(1000), 12);
    EXPECT_EQ(digits_for(9'999'999), 12);
    EXPECT_EQ(digits_for(10'000'000), 16);
    EXPECT_EQ(digits_for(std::numeric_limits<std::int64_t>::max()), 24);
}

} // namespace
