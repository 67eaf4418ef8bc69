// The 128 bits of a ULID as two machine words, and their big-endian form in memory.
// Source: ULID specification (48 bits of Unix milliseconds, then 80 random bits).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace pulid {

inline constexpr std::size_t body_bytes = 16;

// The last instant that 48 bits of milliseconds can hold: 10889-08-02 05:31:50.655 UTC.
inline constexpr std::uint64_t last_millisecond = (std::uint64_t{1} << 48) - 1;

struct Ulid {
    std::uint64_t high;
    std::uint64_t low;

    constexpr std::uint64_t milliseconds() const { return high >> 16; }

    friend constexpr auto operator<=>(const Ulid &, const Ulid &) = default;
};

// The smallest and the largest ULID of one millisecond (at most last_millisecond).
constexpr Ulid first_of_millisecond(std::uint64_t milliseconds) { return {milliseconds << 16, 0}; }

constexpr Ulid last_of_millisecond(std::uint64_t milliseconds)
{
    return {(milliseconds << 16) | 0xffff, ~std::uint64_t{0}};
}

// Written byte by byte so that it means the same on every byte order and at compile time; compilers
// turn it into one load or store and a byte swap.
constexpr std::uint64_t load_big_endian(const char *bytes)
{
    std::uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word = (word << 8) | static_cast<unsigned char>(bytes[i]);
    return word;
}

constexpr void store_big_endian(std::uint64_t word, char *bytes)
{
    for (int i = 7; i >= 0; i--) {
        bytes[i] = static_cast<char>(static_cast<unsigned char>(word));
        word >>= 8;
    }
}

constexpr Ulid load_ulid(const char *bytes)
{
    return {load_big_endian(bytes), load_big_endian(bytes + 8)};
}

constexpr void store_ulid(Ulid ulid, char *bytes)
{
    store_big_endian(ulid.high, bytes);
    store_big_endian(ulid.low, bytes + 8);
}

} // namespace pulid
