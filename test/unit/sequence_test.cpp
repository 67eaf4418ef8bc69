// Strictly increasing bodies: ticks of the clock, tails that run full, and clocks that misbehave.

#include "core/sequence.hpp"
#include "support.hpp"

using namespace support;

namespace {

constexpr std::uint64_t ones = ~std::uint64_t{0};
constexpr std::uint64_t ticks_per_second = 1000 * ticks_per_millisecond;
constexpr std::uint64_t last_tick = last_millisecond * ticks_per_millisecond + 4095;

constexpr bool advances_from(Tail tail, std::uint64_t step)
{
    Sequence<ulid_tail_bits> sequence;
    sequence.start(7, tail);
    return sequence.advance(step);
}

static_assert(!Sequence<ulid_tail_bits>{}.advance(1)); // a fresh one has nothing to go on from
static_assert(!Sequence<uuid_v7_tail_bits>{}.advance(1));
static_assert(advances_from({15, ones - 1}, 1) && !advances_from({15, ones}, 1));
static_assert(advances_from({14, ones}, 1));
static_assert(ulid_from(last_tick, {15, ones}) == ulid_of(~Bits{0}));
static_assert(tick_of_microseconds(1'000'999) == 1000 * 4096 + 4091);
static_assert(tick_of_nanoseconds(1, 999'999'999) == 1999 * 4096 + 4095);
static_assert(step_from(0) == 1 && step_from(ones) == std::uint64_t{1} << 33);

template <unsigned bits> Ulid body_of(const Sequence<bits> &sequence)
{
    if constexpr (bits == ulid_tail_bits)
        return ulid_from(sequence.tick(), sequence.tail());
    else
        return uuid_v7_from(sequence.tick(), sequence.tail());
}

// One id, by the rule of the generators.
template <unsigned bits>
Ulid next(Sequence<bits> &sequence, std::uint64_t now, std::uint64_t step, Tail fresh)
{
    if (now > sequence.tick() || !sequence.advance(step))
        sequence.start(std::max(now, sequence.tick() + 1), fresh);
    return body_of(sequence);
}

template <unsigned bits> Ulid next(Sequence<bits> &sequence, std::uint64_t now, Random &random)
{
    const std::uint64_t step = step_from(random.word());
    return next(sequence, now, step, {random.word(), random.word()});
}

template <class> class sequence : public testing::Test {
};
using Kinds = testing::Types<Sequence<ulid_tail_bits>, Sequence<uuid_v7_tail_bits>>;
TYPED_TEST_SUITE(sequence, Kinds);

TYPED_TEST(sequence, increases_while_the_clock_stands_still_and_stays_in_its_tick)
{
    Random random(801);
    TypeParam ids;
    const std::uint64_t now = example_milliseconds * ticks_per_millisecond + 17;
    Ulid last = next(ids, now, random);
    for (int i = 0; i < 100000; i++) {
        const Ulid body = next(ids, now, random);
        ASSERT_LT(last, body);
        last = body;
    }
    EXPECT_EQ(ids.tick(), now);
    EXPECT_EQ(last.milliseconds(), example_milliseconds);
}

TYPED_TEST(sequence, increases_while_the_clock_jumps_and_is_set_back)
{
    Random random(802);
    TypeParam ids;
    std::uint64_t now = example_milliseconds * ticks_per_millisecond;
    std::uint64_t highest = now;
    Ulid last{0, 0};
    for (int i = 0; i < 100000; i++) {
        if (random.one_in(1000))
            now -= 5 * ticks_per_second;
        else if (random.one_in(2000))
            now += 10 * ticks_per_second;
        else
            now += random.below(3);
        highest = std::max(highest, now);
        const Ulid body = next(ids, now, random);
        ASSERT_LT(last, body);
        ASSERT_GE(ids.tick(), highest);
        ASSERT_LT(ids.tick() - highest, ticks_per_millisecond); // at most 1 ms ahead
        last = body;
    }
}

TYPED_TEST(sequence, a_full_tail_moves_the_tick_by_one)
{
    TypeParam ids;
    std::uint64_t tick = 1000;
    ids.start(tick, {ones, ones});
    Ulid last = body_of(ids);
    for (int i = 0; i < 5000; i++) { // more than the ticks of a millisecond: it carries
        const Ulid body = next(ids, 1000, 1, {ones, ones});
        ASSERT_EQ(ids.tick(), ++tick);
        ASSERT_LT(last, body);
        last = body;
    }
    next(ids, 999, 1, {0, 0});
    EXPECT_EQ(ids.tick(), tick + 1);
    next(ids, 999, 1, {0, 0});
    EXPECT_EQ(ids.tick(), tick + 1);
    EXPECT_EQ(ids.tail().low, 1U);
}

TYPED_TEST(sequence, begins_with_the_clock_also_at_its_first_tick)
{
    TypeParam ids;
    next(ids, 12345, 1, {0, 99});
    EXPECT_EQ(ids.tick(), 12345U);
    EXPECT_EQ(ids.tail().low, 99U);
    TypeParam at_zero; // the clock says 1970: a random tail all the same
    next(at_zero, 0, 1, {0, 99});
    EXPECT_LE(at_zero.tick(), 1U);
    EXPECT_EQ(at_zero.tail().low, 99U);
}

// The tail as one number, against the same sum in 128 bits.
template <unsigned bits> void check_sums()
{
    Random random(803 + bits);
    constexpr Bits full = (Bits{1} << bits) - 1;
    int filled = 0;
    for (int i = 0; i < 20000; i++) {
        Sequence<bits> ids;
        const Ulid drawn = random.body();
        ids.start(42, {drawn.high, drawn.low});
        const Bits begin = bits_of({ids.tail().high, ids.tail().low});
        ASSERT_EQ(begin, bits_of(drawn) & full); // surplus random bits are dropped
        const std::uint64_t step = step_from(random.one_in(4) ? ones : random.word());
        const bool fits = begin + step <= full;
        ASSERT_EQ(ids.advance(step), fits);
        const Bits end = bits_of({ids.tail().high, ids.tail().low});
        ASSERT_EQ(end, fits ? begin + step : begin);
        ASSERT_EQ(ids.tick(), 42U);
        filled += !fits;
    }
    EXPECT_GT(filled, 100);
}

TEST(sequence_tail, adds_like_one_number_and_never_wraps)
{
    check_sums<34>();
    check_sums<uuid_v7_tail_bits>();
    check_sums<63>();
    check_sums<64>();
    check_sums<65>();
    check_sums<ulid_tail_bits>();
    check_sums<127>();
}

TEST(sequence_tail, steps_are_positive_and_average_2_to_the_32)
{
    Random random(804);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        const std::uint64_t step = step_from(random.word());
        ASSERT_GE(step, 1U);
        ASSERT_LE(step, std::uint64_t{1} << 33);
        sum += static_cast<double>(step);
    }
    EXPECT_NEAR(sum / 100000 / 4294967296.0, 1.0, 0.02);
}

TEST(tick, parts_of_a_millisecond_are_floored)
{
    EXPECT_EQ(tick_of_nanoseconds(0, 0), 0U);
    EXPECT_EQ(tick_of_nanoseconds(0, 244), 0U); // a tick is 244.14 ns
    EXPECT_EQ(tick_of_nanoseconds(0, 245), 1U);
    EXPECT_EQ(tick_of_nanoseconds(0, 999'999), 4095U);
    EXPECT_EQ(tick_of_nanoseconds(0, 1'000'000), 4096U);
    EXPECT_EQ(tick_of_microseconds(0), 0U);
    EXPECT_EQ(tick_of_microseconds(1), 4U);
    EXPECT_EQ(tick_of_microseconds(999), 4091U);
    EXPECT_EQ(tick_of_microseconds(1000), 4096U);
    EXPECT_EQ(tick_of_microseconds(last_millisecond * 1000 + 999), last_tick - 4);
    EXPECT_EQ(last_tick, (std::uint64_t{1} << 60) - 1);
}

TEST(tick, distinct_microseconds_are_distinct_and_in_order)
{
    for (const std::uint64_t begin :
         {std::uint64_t{0}, example_milliseconds * 1000, last_millisecond * 1000 - 9000}) {
        for (std::uint64_t us = begin; us < begin + 9000; us++) {
            ASSERT_LT(tick_of_microseconds(us), tick_of_microseconds(us + 1)) << us;
            ASSERT_EQ(tick_of_microseconds(us) / ticks_per_millisecond, us / 1000) << us;
        }
    }
}

TEST(tick, both_clocks_agree)
{
    Random random(805);
    for (int i = 0; i < 50000; i++) {
        const std::uint64_t seconds = random.word() % (last_millisecond / 1000);
        const std::uint64_t microseconds = random.below(1'000'000);
        ASSERT_EQ(tick_of_nanoseconds(seconds, microseconds * 1000),
                  tick_of_microseconds(seconds * 1'000'000 + microseconds));
        ASSERT_LE(tick_of_nanoseconds(seconds, microseconds * 1000),
                  tick_of_nanoseconds(seconds, microseconds * 1000 + 999));
    }
}

TEST(sequence_body, puts_the_tick_before_the_tail)
{
    EXPECT_EQ(ulid_from(1, {0, 0}), (Ulid{16, 0}));
    EXPECT_EQ(ulid_from(0, {15, ones}), (Ulid{15, ones}));
    EXPECT_EQ(ulid_from(last_tick, {0, 0}), (Ulid{ones - 15, 0}));
    EXPECT_EQ(ulid_from(example_milliseconds * 4096 + 4095, {0, 0}).milliseconds(),
              example_milliseconds);
    EXPECT_EQ(ulid_from(0, {ones, 0}), (Ulid{15, 0})); // a tail never reaches the clock
}

TEST(sequence_body, uuid_v7_has_its_version_and_variant)
{
    Random random(806);
    for (int i = 0; i < 20000; i++) {
        const std::uint64_t tick = random.word() & last_tick;
        const std::uint64_t low = random.word() & (ones >> 2);
        const Ulid body = uuid_v7_from(tick, {0, low});
        ASSERT_EQ(body.high >> 16, tick / 4096);
        ASSERT_EQ((body.high >> 12) & 15, 7U);
        ASSERT_EQ(body.high & 4095, tick % 4096);
        ASSERT_EQ(body.low >> 62, 2U);
        ASSERT_EQ(body.low & (ones >> 2), low);
    }
    EXPECT_EQ(uuid_text(Id("", uuid_v7_from(last_tick, {0, ones >> 2}))),
              "ffffffff-ffff-7fff-bfff-ffffffffffff");
}

TEST(sequence_body, a_full_tail_touches_neither_clock_nor_version_nor_variant)
{
    Sequence<ulid_tail_bits> ulids;
    ulids.start(example_milliseconds * 4096, {ones, ones});
    EXPECT_EQ(body_of(ulids), (Ulid{example_milliseconds << 16 | 15, ones}));
    Sequence<uuid_v7_tail_bits> uuids;
    uuids.start(example_milliseconds * 4096, {ones, ones});
    EXPECT_EQ(body_of(uuids), (Ulid{example_milliseconds << 16 | 0x7000, 0xbfffffffffffffff}));
}

TEST(sequence_body, uuid_v4_changes_version_and_variant_only)
{
    Random random(807);
    for (int i = 0; i < 20000; i++) {
        const Ulid drawn = random.body();
        const Ulid body = uuid_v4_from(drawn);
        ASSERT_EQ((body.high >> 12) & 15, 4U);
        ASSERT_EQ(body.low >> 62, 2U);
        ASSERT_EQ((body.high ^ drawn.high) & ~std::uint64_t{0xf000}, 0U);
        ASSERT_EQ((body.low ^ drawn.low) & (ones >> 2), 0U);
    }
    EXPECT_EQ(uuid_text(Id("", uuid_v4_from({0, 0}))), "00000000-0000-4000-8000-000000000000");
    EXPECT_EQ(uuid_text(Id("", uuid_v4_from({ones, ones}))),
              "ffffffff-ffff-4fff-bfff-ffffffffffff");
}

} // namespace
