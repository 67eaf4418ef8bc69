// The distance of two ids: what BRIN merges ranges by, and GiST chooses pages by.

#include "core/distance.hpp"
#include "support.hpp"

using namespace support;

namespace {

static_assert(distance(known_id(example), known_id(example)) == 0);
static_assert(distance(known_id("a_00000000000000000000000000"),
                       known_id("a_00000000000000000000000001")) == 1);
static_assert(distance(known_id("a_0000000000000zzzzzzzzzzzzz"),
                       known_id("a_00000000000010000000000000")) == 1);
static_assert(distance(known_id("00000000000000000000000000"),
                       known_id("7zzzzzzzzzzzzzzzzzzzzzzzzz")) == bodies_of_a_prefix);

TEST(distance, is_0_or_more_for_ids_in_order)
{
    Random random(701);
    for (int i = 0; i < 100000; i++) {
        Id left = random_id(random);
        Id right = random.one_in(4) ? Id(left.view().prefix(), random.body()) : random_id(random);
        if (compare(left, right) > 0)
            std::swap(left, right);
        ASSERT_GE(distance(left, right), 0) << text_of(left) << " and " << text_of(right);
        if (left.view().prefix() == right.view().prefix()) {
            ASSERT_EQ(distance(left, right) == 0, equal(left, right));
        }
    }
}

TEST(distance, close_bodies_are_counted_exactly)
{
    Random random(702);
    for (int i = 0; i < 10000; i++) {
        const std::uint64_t step = random.word() >> 11;
        const Ulid body = {random.word() >> 1, random.word()};
        const Id left("prd", body);
        const Id right("prd", ulid_of(bits_of(body) + step));
        ASSERT_EQ(distance(left, right), static_cast<double>(step));
    }
}

TEST(distance, another_prefix_is_farther_than_any_body)
{
    const Id smallest("prd", {0, 0});
    const Id largest("prd", ulid_of(~Bits{0}));
    EXPECT_GT(distance(smallest, Id("pre", {0, 1})), distance(smallest, largest));
    EXPECT_LT(distance(smallest, Id("prf", {0, 0})), distance(smallest, Id("q", {0, 0})));
}

} // namespace
