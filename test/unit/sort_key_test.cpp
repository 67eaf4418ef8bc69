// The abbreviated sort key: it may leave order open, but never reverse it, and it must be worth its
// bits where ids share a prefix.

#include "core/sort_key.hpp"
#include "support.hpp"

#include <initializer_list>
#include <set>

using namespace support;

namespace {

// The keys of ids that are met in this order.
constexpr bool rising(std::initializer_list<std::string_view> texts)
{
    PrefixLabels labels;
    std::uint64_t last = 0;
    for (const std::string_view text : texts) {
        const std::uint64_t key = labels.sort_key(known_id(text));
        if (key < last)
            return false;
        last = key;
    }
    return true;
}

static_assert(rising({"00000000000000000000000000", "7zzzzzzzzzzzzzzzzzzzzzzzzz",
                      "a_00000000000000000000000000", "a_00000000010000000000000000",
                      "a_7zzzzzzzzzzzzzzzzzzzzzzzzz", "a_b_00000000000000000000000000",
                      "ab_00000000000000000000000000", "zzzzzzzzz_7zzzzzzzzzzzzzzzzzzzzzzzzz"}));
static_assert(rising({"abcdefgh_7zzzzzzzzzzzzzzzzzzzzzzzzz",
                      "abcdefghi_00000000000000000000000000"}));

void expect_never_reversed(const std::vector<Id> &met)
{
    PrefixLabels labels;
    std::vector<std::pair<Id, std::uint64_t>> keyed;
    keyed.reserve(met.size());
    for (const Id &id : met)
        keyed.emplace_back(id, labels.sort_key(id));
    std::sort(keyed.begin(), keyed.end(), [](const auto &left, const auto &right) {
        return compare(left.first, right.first) < 0;
    });
    // Where keys never fall along the sorted list, no pair of it has a smaller key for the larger.
    for (std::size_t i = 1; i < keyed.size(); i++)
        ASSERT_LE(keyed[i - 1].second, keyed[i].second)
            << text_of(keyed[i - 1].first) << " and " << text_of(keyed[i].first);
}

// What is met first gets its label first, so the order of arrival matters.
TEST(sort_key, never_reverses_the_order)
{
    Random random(701);
    for (int round = 0; round < 200; round++) {
        std::vector<Id> ids;
        for (int i = 0; i < 300; i++)
            ids.push_back(random_id(random));
        for (const std::string &prefix : awkward_prefixes()) {
            ids.emplace_back(prefix, Ulid{0, 0});
            ids.emplace_back(prefix, ulid_of(~Bits{0}));
        }
        for (std::size_t i = ids.size() - 1; i > 0; i--)
            std::swap(ids[i], ids[random.below(i + 1)]);
        ASSERT_NO_FATAL_FAILURE(expect_never_reversed(ids));
    }
}

// More neighbours than there are labels between them, and more than there are labels at all.
TEST(sort_key, never_reverses_the_order_when_no_label_is_left)
{
    Random random(702);
    std::vector<std::string> prefixes;
    for (const char *begin : {"", "prd", "abcdefg", "abcdefgh", "a______"})
        for (const char second : std::string_view("abcdefghijklmnopqrstuvwxyz"))
            for (const char *end : {"a", "b", "bb", "_b", "zzzzzzz"})
                prefixes.push_back(std::string(begin) + second + end);
    std::sort(prefixes.begin(), prefixes.end());
    for (const bool falling : {false, true}) {
        std::vector<Id> ids;
        for (const std::string &prefix : prefixes)
            for (int i = 0; i < 5; i++)
                ids.emplace_back(prefix, random.body());
        if (falling)
            std::reverse(ids.begin(), ids.end());
        ASSERT_NO_FATAL_FAILURE(expect_never_reversed(ids));
    }
}

std::size_t different_keys(const std::vector<Id> &ids)
{
    PrefixLabels labels;
    std::set<std::uint64_t> keys;
    for (const Id &id : ids)
        keys.insert(labels.sort_key(id));
    return keys.size();
}

TEST(sort_key, tells_the_ids_of_one_millisecond_apart_under_each_prefix)
{
    std::vector<Id> ids;
    std::size_t labelled = 0;
    for (const char *prefix : {"", "a", "prd", "usr", "order", "a_b_c", "invoices"}) {
        labelled++;
        for (std::uint64_t tick = 0; tick < 4096; tick++)
            ids.emplace_back(prefix, Ulid{(example_milliseconds << 16) | (tick << 4), 0});
    }
    EXPECT_EQ(different_keys(ids), labelled * 4096);
}

TEST(sort_key, tells_far_instants_apart)
{
    std::vector<Id> ids;
    for (unsigned shift = 58; shift < 64; shift++)
        for (std::uint64_t tick = 0; tick < 100; tick++)
            ids.emplace_back("prd", Ulid{(std::uint64_t{1} << shift) | (tick << 9), 0});
    EXPECT_EQ(different_keys(ids), ids.size());
}

TEST(sort_key, tells_prefixes_apart_in_whatever_order_they_come)
{
    std::vector<Id> ids;
    for (const char *prefix : {"acc", "cus", "evt", "inv", "ord", "pay", "prd", "prc", "ref", "sub",
                               "usr", "usrs", "zon"})
        ids.emplace_back(prefix, Ulid{example_milliseconds << 16, 0});
    EXPECT_EQ(different_keys(ids), ids.size());
    std::reverse(ids.begin(), ids.end());
    EXPECT_EQ(different_keys(ids), ids.size());
}

} // namespace
