// The word that all processes of a server share: what follows what, when the clock stands still or
// is set back, when the counter is full, and at the end of time.

#include "core/cluster_sequence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <random>
#include <thread>
#include <vector>

using namespace pulid;

namespace {

constexpr std::uint64_t now = 0x0195c7b43cca;
constexpr std::uint64_t counters = std::uint64_t{1} << 16;
constexpr std::uint64_t last_state = ~std::uint64_t{0};

constexpr std::uint64_t first_of(std::uint64_t milliseconds) { return milliseconds << 16; }
constexpr std::uint64_t milliseconds_of(std::uint64_t state)
{
    return Ulid{state, 0}.milliseconds();
}

static_assert(next_state(first_state, now) == first_of(now)); // a fresh server: the clock
static_assert(next_state(first_state, 0) == 1);               // in 1970 as well: 0 is no id
static_assert(next_state(first_of(now), now) == first_of(now) + 1);
static_assert(next_state(first_of(now) + 9, now + 1) == first_of(now + 1));
static_assert(next_state(first_of(now) + 9, now - 3'600'000) == first_of(now) + 10); // set back
static_assert(next_state(first_of(now) + counters - 1, now) == first_of(now + 1));   // carries
static_assert(next_state(first_of(now + 1), now) == first_of(now + 1) + 1); // and goes on there
static_assert(next_state(first_state, last_millisecond) == first_of(last_millisecond));
static_assert(next_state(last_state - 1, now) == last_state); // the last one
static_assert(next_state(last_state, now) == 0);              // and none after it
static_assert(next_state(last_state, last_millisecond) == 0);

TEST(cluster_sequence, increases_whatever_the_clock_does)
{
    std::mt19937_64 random(901);
    std::uint64_t state = first_state;
    std::uint64_t clock = now;
    std::uint64_t highest = 0;
    for (int i = 0; i < 1'000'000; i++) {
        const std::uint64_t event = random() % 1000;
        if (event == 0) // set back, by up to an hour
            clock -= random() % 3'600'000;
        else if (event == 1) // set ahead
            clock += random() % 10'000;
        else if (event % 8 == 0)
            clock++;
        highest = std::max(highest, clock);
        const std::uint64_t next = next_state(state, clock);
        ASSERT_GT(next, state);
        ASSERT_GE(milliseconds_of(next), clock);
        // Ahead of the highest clock seen only by what did not fit into its counter.
        ASSERT_LE(milliseconds_of(next), highest + static_cast<std::uint64_t>(i) / counters);
        state = next;
    }
}

TEST(cluster_sequence, a_standing_clock_has_65536_ids_and_then_carries)
{
    std::uint64_t state = first_state;
    for (std::uint64_t i = 0; i < 3 * counters; i++) {
        state = next_state(state, now);
        ASSERT_EQ(state, first_of(now) + i);
        ASSERT_EQ(milliseconds_of(state), now + i / counters);
    }
    EXPECT_EQ(next_state(state, now + 3), first_of(now + 3)); // the clock overtakes at once
}

TEST(cluster_sequence, ends_instead_of_wrapping)
{
    std::uint64_t state = first_of(last_millisecond) - 1;
    std::uint64_t ids = 0;
    for (std::uint64_t next; (next = next_state(state, last_millisecond)) != 0; ids++) {
        ASSERT_GT(next, state);
        state = next;
    }
    EXPECT_EQ(ids, counters);
    EXPECT_EQ(state, last_state);
    // A clock that is set right again does not bring back what was handed out.
    EXPECT_EQ(next_state(state, now), 0U);
}

// By compare-and-swap, as the generator does it: all distinct, and increasing for each taker.
TEST(cluster_sequence, is_shared_by_threads)
{
    constexpr std::size_t takers = 16;
    constexpr std::size_t ids_each = 20'000;
    std::atomic<std::uint64_t> shared = first_state;
    std::atomic<std::uint64_t> clock = now;
    std::vector<std::vector<std::uint64_t>> taken(takers);
    std::vector<std::thread> threads;
    for (auto &mine : taken)
        threads.emplace_back([&] {
            for (std::size_t i = 0; i < ids_each; i++) {
                const std::uint64_t milliseconds = i % 64 == 0 ? ++clock : clock.load();
                std::uint64_t seen = shared;
                while (!shared.compare_exchange_weak(seen, next_state(seen, milliseconds))) {
                }
                mine.push_back(next_state(seen, milliseconds));
            }
        });
    for (auto &thread : threads)
        thread.join();

    std::vector<std::uint64_t> all;
    for (const auto &mine : taken) {
        EXPECT_EQ(std::adjacent_find(mine.begin(), mine.end(), std::greater_equal()), mine.end());
        all.insert(all.end(), mine.begin(), mine.end());
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
    EXPECT_EQ(all.size(), takers * ids_each);
}

} // namespace
