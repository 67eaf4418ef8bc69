// Strictly increasing bodies from a clock that may stand still or be set back.
//
//     ULID    48 bits ms | 12 bits of the ms                   | 68 random bits
//     UUIDv7  48 bits ms | version 7 | 12 bits of the ms | variant | 62 random bits
//             (RFC 9562 section 6.2, method 3)
//
// A tick is the first 60 clock bits, 1/4096 ms. When the clock enters a new tick the tail is drawn
// afresh; within a tick the tail grows by a random step, so ids cannot be counted and the tick need
// not move. Only a tail that is full moves it, to the next tick, whatever the clock says.
#pragma once

#include "core/ulid.hpp"

namespace pulid {

inline constexpr std::uint64_t ticks_per_millisecond = 4096;

// The fraction is floored: different microseconds fall into different ticks, in order.
constexpr std::uint64_t tick_of_nanoseconds(std::uint64_t seconds, std::uint64_t nanoseconds)
{
    const std::uint64_t milliseconds = seconds * 1000 + nanoseconds / 1'000'000;
    return milliseconds * ticks_per_millisecond +
           nanoseconds % 1'000'000 * ticks_per_millisecond / 1'000'000;
}

constexpr std::uint64_t tick_of_microseconds(std::uint64_t microseconds)
{
    return microseconds / 1000 * ticks_per_millisecond +
           microseconds % 1000 * ticks_per_millisecond / 1000;
}

// The random end of a body: high holds what exceeds 64 bits.
struct Tail {
    std::uint64_t high;
    std::uint64_t low;
};

// 1 to 2^33 from 33 random bits: 2^32 on average, and 2^36 ids in one ULID tick before it is full.
constexpr std::uint64_t step_from(std::uint64_t random)
{
    return 1 + (random & ((std::uint64_t{1} << 33) - 1));
}

template <unsigned tail_bits> class Sequence {
    static_assert(tail_bits > 33 && tail_bits < 128);

  public:
    constexpr std::uint64_t tick() const { return tick_; }
    constexpr Tail tail() const { return tail_; }

    // Begins a tick. The bits of random beyond tail_bits are ignored.
    constexpr void start(std::uint64_t tick, Tail random)
    {
        tick_ = tick;
        tail_ = {random.high & high_mask, random.low & low_mask};
    }

    // Goes on within the tick. False, and nothing changed, if the tail is full.
    constexpr bool advance(std::uint64_t step)
    {
        const std::uint64_t low = tail_.low + step;
        const bool carry = low < step || low > low_mask;
        if (carry && tail_.high == high_mask)
            return false;
        tail_ = {tail_.high + (carry ? 1 : 0), low & low_mask};
        return true;
    }

  private:
    template <unsigned bits> static consteval std::uint64_t mask()
    {
        return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    }
    static constexpr std::uint64_t high_mask = tail_bits > 64 ? mask<tail_bits - 64>() : 0;
    static constexpr std::uint64_t low_mask = mask<tail_bits>();

    std::uint64_t tick_ = 0;
    Tail tail_ = {high_mask, low_mask}; // full, so that the first id draws its tail
};

inline constexpr unsigned ulid_tail_bits = 68;
inline constexpr unsigned uuid_v7_tail_bits = 62;

constexpr Ulid ulid_from(std::uint64_t tick, Tail tail)
{
    return {(tick << 4) | (tail.high & 15), tail.low};
}

constexpr Ulid uuid_v7_from(std::uint64_t tick, Tail tail)
{
    constexpr std::uint64_t version = 7;
    constexpr std::uint64_t variant = 2;
    const std::uint64_t high =
        (tick / ticks_per_millisecond << 16) | (version << 12) | tick % ticks_per_millisecond;
    return {high, (variant << 62) | tail.low};
}

// RFC 9562 section 5.4: version and variant over otherwise random bits.
constexpr Ulid uuid_v4_from(Ulid random)
{
    constexpr std::uint64_t version = 4;
    constexpr std::uint64_t variant = 2;
    return {(random.high & ~(std::uint64_t{15} << 12)) | (version << 12),
            (random.low & (~std::uint64_t{0} >> 2)) | (variant << 62)};
}

} // namespace pulid
