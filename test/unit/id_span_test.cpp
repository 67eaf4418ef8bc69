// Spans of ids, the keys of a GiST index: stored and loaded, searched, grown and split.

#include "core/id_span.hpp"
#include "support.hpp"

#include <cmath>

using namespace support;

namespace {

constexpr Id smallest = known_id("prd_00000000000000000000000001");
constexpr Id middle = known_id("prd_00000000000000000000000002");
constexpr Id largest = known_id("prd_00000000000000000000000003");

static_assert(contains({smallest, largest}, middle) && contains({smallest, largest}, largest));
static_assert(!contains({smallest, middle}, largest) && !contains({middle, largest}, smallest));
static_assert(growth({smallest, largest}, middle.view()) == 0);
static_assert(growth({smallest, middle}, largest.view()) > 0);
static_assert(can_match(middle.view(), Comparison::not_equal, largest));
static_assert(!can_match(middle.view(), Comparison::not_equal, middle));
static_assert(can_match({smallest, middle}, Comparison::not_equal, middle));

std::vector<char> stored(const IdSpan &span)
{
    std::vector<char> bytes(span.stored_size()); // exactly: the sanitizer sees one too many
    store_span(span, bytes.data());
    return bytes;
}

IdSpan loaded(const std::vector<char> &bytes) { return load_span({bytes.data(), bytes.size()}); }

struct Ends {
    Id lower;
    Id upper;

    IdSpan span() const { return {lower, upper}; }
};

Ends random_ends(Random &random)
{
    Ends ends{random_id(random), {}};
    ends.upper = random.one_in(3)   ? ends.lower
                 : random.one_in(2) ? Id(ends.lower.view().prefix(), random.body())
                                    : random_id(random);
    if (compare(ends.lower, ends.upper) > 0)
        std::swap(ends.lower, ends.upper);
    return ends;
}

TEST(id_span, is_loaded_as_it_was_stored)
{
    Random random(711);
    for (int i = 0; i < 50000; i++) {
        const Ends ends = random_ends(random);
        const std::vector<char> bytes = stored(ends.span());
        ASSERT_LE(bytes.size(), 1 + 2 * max_stored_bytes);
        const IdSpan read = loaded(bytes);
        ASSERT_EQ(text_of(read.lower), text_of(ends.lower));
        ASSERT_EQ(text_of(read.upper), text_of(ends.upper));
    }
}

TEST(id_span, of_one_id_is_stored_as_the_id)
{
    Random random(712);
    for (int i = 0; i < 10000; i++) {
        const Id id = random_id(random);
        const Id copy = id;
        ASSERT_EQ(stored({id, copy}), std::vector<char>(id.bytes, id.bytes + id.size));
    }
}

bool matches(IdView candidate, Comparison comparison, IdView id)
{
    const std::string left = text_of(candidate);
    const std::string right = text_of(id);
    switch (comparison) {
    case Comparison::equal:
        return left == right;
    case Comparison::not_equal:
        return left != right;
    case Comparison::less:
        return left < right;
    case Comparison::less_or_equal:
        return left <= right;
    case Comparison::greater:
        return left > right;
    case Comparison::greater_or_equal:
        return left >= right;
    }
    return false;
}

constexpr Comparison comparisons[] = {Comparison::equal,   Comparison::not_equal,
                                      Comparison::less,    Comparison::less_or_equal,
                                      Comparison::greater, Comparison::greater_or_equal};

TEST(id_span, never_hides_an_id_that_matches)
{
    Random random(713);
    for (int i = 0; i < 50000; i++) {
        const Ends ends = random_ends(random);
        Id inside = random_id(random);
        if (!contains(ends.span(), inside))
            inside = random.one_in(2) ? ends.lower : ends.upper;
        const Id query = random.one_in(2) ? inside : random_id(random);
        for (const Comparison comparison : comparisons) {
            const bool seen = can_match(ends.span(), comparison, query);
            ASSERT_TRUE(seen || !matches(inside, comparison, query))
                << text_of(inside) << " and " << text_of(query);
        }
    }
}

TEST(id_span, of_one_id_matches_exactly)
{
    Random random(714);
    for (int i = 0; i < 50000; i++) {
        const Id id = random_id(random);
        const Id query = random.one_in(4)   ? id
                         : random.one_in(2) ? Id(id.view().prefix(), random.body())
                                            : random_id(random);
        for (const Comparison comparison : comparisons)
            ASSERT_EQ(can_match(id.view(), comparison, query), matches(id, comparison, query))
                << text_of(id) << " and " << text_of(query);
    }
}

TEST(id_span, no_other_strategy_matches)
{
    for (const int strategy : {0, 17, 24})
        EXPECT_FALSE(can_match(middle.view(), static_cast<Comparison>(strategy), middle));
}

TEST(id_span, sorts_by_the_lower_end_and_then_by_the_upper_one)
{
    Random random(717);
    for (int i = 0; i < 20000; i++) {
        Ends left = random_ends(random);
        const Ends right = random_ends(random);
        if (random.one_in(2) && compare(right.lower, left.upper) <= 0)
            left.lower = right.lower;
        const auto texts = [](const Ends &ends) {
            return std::pair(text_of(ends.lower), text_of(ends.upper));
        };
        ASSERT_EQ(left.span() < right.span(), texts(left) < texts(right));
    }
}

TEST(id_span, widened_holds_both_and_starts_and_ends_with_them)
{
    Random random(715);
    for (int i = 0; i < 20000; i++) {
        const Ends left = random_ends(random);
        const Ends right = random_ends(random);
        const IdSpan both = widened(left.span(), right.span());
        for (const Id *id : {&left.lower, &left.upper, &right.lower, &right.upper})
            ASSERT_TRUE(contains(both, *id));
        ASSERT_TRUE(equal(both.lower, left.lower) || equal(both.lower, right.lower));
        ASSERT_TRUE(equal(both.upper, left.upper) || equal(both.upper, right.upper));
    }
}

TEST(growth, is_0_for_what_is_held_and_else_positive_and_finite)
{
    Random random(716);
    for (int i = 0; i < 50000; i++) {
        const Ends span = random_ends(random);
        const Ends added = random_ends(random);
        const bool held = contains(span.span(), added.lower) && contains(span.span(), added.upper);
        const float cost = growth(span.span(), added.span());
        ASSERT_EQ(cost == 0, held);
        ASSERT_TRUE(cost >= 0 && std::isfinite(cost));
    }
}

TEST(growth, prefers_the_prefix_and_then_the_nearer_body)
{
    const Id added("ord", {1000, 0});
    const auto cost = [&](const Id &id) { return growth(id.view(), added.view()); };
    EXPECT_LT(cost(Id("ord", {1000, 1})), cost(Id("ord", {1000, 2})));
    EXPECT_LT(cost(Id("ord", {1000, 1})), cost(Id("ord", {999, 0})));
    EXPECT_LT(cost(Id("ord", {999, 0})), cost(Id("ord", {998, 0})));
    EXPECT_LT(cost(Id("ord", {998, 0})), cost(Id("ord", {1003, 0})));
    EXPECT_LT(cost(Id("ord", ulid_of(~Bits{0}))), cost(Id("orc", {1000, 0})));
    EXPECT_LT(cost(Id("orc", {1000, 0})), cost(Id("a", {1000, 0})));
}

// A page, and where it is split; the last number is that of the newest entry.
std::size_t split(const std::vector<Id> &sorted, std::size_t newest)
{
    std::vector<PageEntry> entries;
    for (const Id &id : sorted)
        entries.push_back({id.view(), static_cast<std::uint16_t>(entries.size() + 1)});
    return split_position(entries.data(), entries.size(), static_cast<std::uint16_t>(newest));
}

std::vector<Id> ids(std::string_view prefix, std::size_t count)
{
    std::vector<Id> list;
    for (std::size_t i = 0; i < count; i++)
        list.emplace_back(prefix, Ulid{i, 0});
    return list;
}

std::vector<Id> operator+(std::vector<Id> left, const std::vector<Id> &right)
{
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

TEST(split_position, is_the_middle_for_ids_in_any_order)
{
    for (const std::size_t newest : {0U, 1U, 50U, 99U})
        EXPECT_EQ(split(ids("prd", 100), newest), 50U) << newest;
    EXPECT_EQ(split(ids("ord", 30) + ids("prd", 70), 29), 50U);
}

TEST(split_position, leaves_room_behind_the_newest_of_a_prefix)
{
    EXPECT_EQ(split(ids("prd", 100), 100), 90U);
    EXPECT_EQ(split(ids("ord", 96) + ids("prd", 4), 96), 90U);
}

TEST(split_position, is_a_change_of_prefix_where_the_newest_is_the_last_of_one)
{
    EXPECT_EQ(split(ids("ord", 60) + ids("prd", 40), 60), 60U);
    EXPECT_EQ(split(ids("ord", 60) + ids("prd", 40), 100), 60U);
    EXPECT_EQ(split(ids("ord", 30) + ids("prd", 40) + ids("usr", 30), 30), 70U);
    EXPECT_EQ(split(ids("ord", 5) + ids("prd", 95), 100), 90U);
}

TEST(split_position, leaves_no_side_empty)
{
    for (std::size_t count = 2; count < 40; count++)
        for (std::size_t newest = 0; newest <= count; newest++)
            for (std::size_t change = 0; change <= count; change++) {
                const std::size_t position =
                    split(ids("ord", change) + ids("prd", count - change), newest);
                ASSERT_TRUE(position > 0 && position < count)
                    << count << ", " << newest << ", " << change << ": " << position;
            }
}

} // namespace
