// The abbreviated sort key: it may leave order open, but never reverse it, and it must be worth its
// bits where ids share a prefix.

#include "core/sort_key.hpp"
#include "support.hpp"

#include <set>

using namespace support;

namespace {

constexpr std::uint64_t key(std::string_view text, std::string_view anchor)
{
    return sort_key(known_id(text), anchor);
}

static_assert(key("a_00000000000000000000000000", "b") < key("b_00000000000000000000000000", "b"));
static_assert(key("b_7zzzzzzzzzzzzzzzzzzzzzzzzz", "b") < key("c_00000000000000000000000000", "b"));
static_assert(key("abcdef_7zzzzzzzzzzzzzzzzzzzzzzzzz", "") <=
              key("abcdefg_00000000000000000000000000", ""));
static_assert(key("7zzzzzzzzzzzzzzzzzzzzzzzzz", "prd") <
              key("a_00000000000000000000000000", "prd"));
static_assert(key("prd_00000000000000000000000000", "prd") <
              key("prd_00000000010000000000000000", "prd"));

// Sorted by compare(), no two alike. Where keys never fall along such a list, no pair of it has a
// smaller key for the larger id.
std::vector<Id> sorted_ids(Random &random, int count)
{
    std::vector<Id> ids;
    for (int i = 0; i < count; i++)
        ids.push_back(random_id(random));
    for (const std::string &prefix : awkward_prefixes()) {
        ids.emplace_back(prefix, Ulid{0, 0});
        ids.emplace_back(prefix, ulid_of(~Bits{0}));
    }
    std::sort(ids.begin(), ids.end(),
              [](const Id &left, const Id &right) { return compare(left, right) < 0; });
    const auto last = std::unique(
        ids.begin(), ids.end(), [](const Id &left, const Id &right) { return equal(left, right); });
    ids.erase(last, ids.end());
    return ids;
}

TEST(sort_key, never_reverses_the_order_whatever_the_anchor)
{
    Random random(701);
    const std::vector<Id> ids = sorted_ids(random, 6000);
    for (const std::string &anchor : awkward_prefixes()) {
        for (std::size_t i = 1; i < ids.size(); i++)
            ASSERT_LE(sort_key(ids[i - 1], anchor), sort_key(ids[i], anchor))
                << text_of(ids[i - 1]) << " and " << text_of(ids[i]) << ", anchor " << anchor;
    }
}

TEST(sort_key, never_reverses_the_order_of_prefixes_that_agree_in_six_letters)
{
    std::vector<std::string> prefixes;
    for (const char *begin : {"abcdef", "abcde_", "a____b", "zzzzzz"})
        for (const char *end : {"", "a", "b", "_b", "zz", "_____z", "ab"})
            if (is_prefix(std::string(begin) + end))
                prefixes.push_back(std::string(begin) + end);
    ASSERT_GT(prefixes.size(), 25U);
    Random random(702);
    for (int i = 0; i < 50000; i++) {
        const Id left{random.pick(prefixes), random.body()};
        const Id right{random.pick(prefixes), random.body()};
        const std::string &anchor = random.pick(random.one_in(2) ? prefixes : awkward_prefixes());
        const std::uint64_t left_key = sort_key(left, anchor);
        const std::uint64_t right_key = sort_key(right, anchor);
        if (left_key != right_key) {
            ASSERT_EQ(left_key < right_key, compare(left, right) < 0)
                << text_of(left) << " and " << text_of(right) << ", anchor " << anchor;
        }
    }
}

TEST(sort_key, tells_milliseconds_and_ticks_apart_under_the_anchor)
{
    for (const std::string &prefix : awkward_prefixes()) {
        std::set<std::uint64_t> keys;
        for (std::uint64_t ms = 0; ms < 100; ms++)
            keys.insert(
                sort_key(Id(prefix, first_of_millisecond(example_milliseconds + ms)), prefix));
        // 14 bits of what follows the clock: with 12 bits of a tick, two more.
        for (std::uint64_t part = 1; part < 100; part++)
            keys.insert(sort_key(Id(prefix, {part << 2, 0}), prefix));
        EXPECT_EQ(keys.size(), 199U) << prefix;
    }
}

TEST(sort_key, keeps_the_clock_of_short_prefixes_beside_the_anchor)
{
    for (const std::string &prefix : awkward_prefixes()) {
        if (prefix.size() > 6)
            continue;
        for (const char *anchor : {"mm", "zzzzzzz"}) {
            std::set<std::uint64_t> keys;
            for (std::uint64_t minute = 0; minute < 100; minute++) // 2^16 ms
                keys.insert(sort_key(Id(prefix, {minute << 32, 0}), anchor));
            EXPECT_EQ(keys.size(), 100U) << prefix;
        }
    }
}

TEST(sort_key, tells_the_anchor_and_short_prefixes_apart)
{
    const Ulid body{example_milliseconds << 16, 0};
    for (const std::string &anchor : awkward_prefixes())
        for (const std::string &left : awkward_prefixes())
            for (const std::string &right : awkward_prefixes()) {
                const bool apart = (left == anchor) != (right == anchor) ||
                                   (left < anchor) != (right < anchor) ||
                                   left.substr(0, 6) != right.substr(0, 6);
                if (apart) {
                    ASSERT_EQ(sort_key(Id(left, body), anchor) < sort_key(Id(right, body), anchor),
                              left < right)
                        << left << " and " << right << ", anchor " << anchor;
                }
            }
}

} // namespace
