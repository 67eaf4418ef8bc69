// Ranges of ids as the planner uses them: membership in the range is the predicate that it stands
// for, and positions for estimates keep the order.

#include "core/range.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace {

using namespace pulid;

bool contains(const IdRange &range, IdView id)
{
    return compare_with_text(id, range.lower.text()) >= 0 &&
           compare_with_text(id, range.upper.text()) < 0;
}

constexpr bool is_range(const IdRange &range, std::string_view lower, std::string_view upper)
{
    return range.lower.text() == lower && range.upper.text() == upper;
}

static_assert(is_range(range_of_prefix("prd"), "prd_00000000000000000000000000", "prd_8"));
static_assert(is_range(range_of_prefix(""), "00000000000000000000000000", "8"));
static_assert(is_range(range_of_prefix("PRD"), "{", "{"));
static_assert(is_range(range_of_beginning("prd_01jk"), "prd_01jk0000000000000000000000",
                       "prd_01jl"));
static_assert(is_range(range_of_beginning("prd"), "prd", "pre"));
static_assert(is_range(range_of_beginning("a_"), "a_00000000000000000000000000", "a`"));
static_assert(is_range(range_of_beginning("a__"), "a__", "a_`"));
static_assert(is_range(range_of_beginning(""), "00000000000000000000000000", "{"));
static_assert(is_range(range_of_milliseconds("prd", 0, 32), "prd_00000000000000000000000000",
                       "prd_00000000100000000000000000"));
static_assert(is_range(range_of_milliseconds("", last_millisecond, last_millisecond + 1),
                       "7zzzzzzzzz0000000000000000", "8"));
static_assert(is_range(range_of_milliseconds("prd", last_millisecond + 1, last_millisecond + 1),
                       "{", "{"));

TEST(range, of_a_prefix_holds_its_ids_and_no_other)
{
    for (const std::string_view prefix : {"", "a", "a_b", "a__b", "ab", "prd", "prda", "zzz"})
        for (const std::string_view other : {"", "a", "a_b", "a__b", "ab", "prd", "prda", "zzz"})
            for (const Ulid body : {Ulid{0, 0}, Ulid{~0ULL, ~0ULL}})
                EXPECT_EQ(contains(range_of_prefix(prefix), Id(other, body)), prefix == other)
                    << prefix << " and an id of " << other;
}

TEST(range, of_a_malformed_prefix_is_empty)
{
    constexpr const char *sixty_four_letters =
        "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl";
    for (const std::string_view prefix : {"PRD", "_a", "a_", "a-b", "prd_0", sixty_four_letters})
        for (const std::string_view other : {"", "a", "prd"})
            for (const Ulid body : {Ulid{0, 0}, Ulid{~0ULL, ~0ULL}})
                EXPECT_FALSE(contains(range_of_prefix(prefix), Id(other, body))) << prefix;
}

TEST(range, of_a_beginning_is_what_starts_with_says)
{
    for (const char *text : {"prd_01jq3v8f6a7b2c8d9e0f1g2h3j", "01jq3v8f6a7b2c8d9e0f1g2h3j",
                             "a__b_7zzzzzzzzzzzzzzzzzzzzzzzzz"}) {
        const std::string whole = text;
        Id id;
        ASSERT_TRUE(parse<Case::exact>(whole, id));
        for (std::size_t size = 0; size <= whole.size(); size++)
            for (int changed = -1; changed < 256; changed++) {
                std::string beginning = whole.substr(0, size);
                if (changed >= 0 && size > 0)
                    beginning[size - 1] = static_cast<char>(changed);
                EXPECT_EQ(contains(range_of_beginning(beginning), id), starts_with(id, beginning))
                    << beginning;
            }
        EXPECT_FALSE(contains(range_of_beginning(whole + "0"), id));
        EXPECT_FALSE(contains(range_of_beginning(std::string(91, 'a')), id));
    }
}

TEST(range, of_milliseconds_has_its_first_and_not_its_last)
{
    const std::uint64_t last = last_millisecond;
    for (const std::uint64_t since :
         {std::uint64_t{0}, std::uint64_t{1742812232906}, last - 1, last})
        for (const std::uint64_t length : {0U, 1U, 1000U}) {
            const IdRange range = range_of_milliseconds("prd", since, since + length);
            const auto holds = [&](Ulid body) { return contains(range, Id("prd", body)); };
            EXPECT_EQ(holds(first_of_millisecond(since)), length > 0);
            EXPECT_EQ(holds(last_of_millisecond(since)), length > 0);
            if (since > 0) {
                EXPECT_FALSE(holds(last_of_millisecond(since - 1)));
            }
            if (since + length <= last) {
                EXPECT_FALSE(holds(first_of_millisecond(since + length)));
            }
            if (length > 0 && since + length - 1 <= last) {
                EXPECT_TRUE(holds(last_of_millisecond(since + length - 1)));
            }
        }
}

TEST(range, of_milliseconds_behind_the_last_or_of_no_prefix_is_empty)
{
    const auto expect_empty = [](std::string_view prefix, std::uint64_t since) {
        const IdRange range = range_of_milliseconds(prefix, since, since + 1);
        for (const Ulid body : {first_of_millisecond(0), last_of_millisecond(last_millisecond)}) {
            EXPECT_FALSE(contains(range, Id("prd", body)));
            EXPECT_FALSE(contains(range, Id("zzz", body)));
        }
    };
    expect_empty("prd", last_millisecond + 1);
    expect_empty("p1", 0);
}

TEST(range, positions_of_ids_and_of_texts_agree_and_keep_the_order)
{
    double earlier = -1;
    for (const char *body :
         {"00000000000000000000000000", "01jk000000000000000000000z", "01jm0000000000000000000000",
          "3zzzzzzzzzzzzzzzzzzzzzzzzz", "7zzzzzzzzzzzzzzzzzzzzzzzzz"}) {
        Id id;
        ASSERT_TRUE(parse<Case::exact>(body, id));
        const double position = position_of_body(std::string_view(body));
        EXPECT_NEAR(position, position_of_body(id.view().body()), 1e-15);
        EXPECT_GT(position, earlier);
        earlier = position;
    }
    EXPECT_EQ(position_of_body("01jl"), position_of_body("01jm")) << "no digit between k and m";
    EXPECT_EQ(position_of_body(""), 0);
    EXPECT_EQ(position_of_body("8"), 1);
    EXPECT_GE(position_of_body("prd"), 1) << "behind all bodies";
}

} // namespace
