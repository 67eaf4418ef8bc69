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

// The words of a Ulid, as digits of a number.
inline constexpr double two_to_64 = 18446744073709551616.0;

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

// Written out byte by byte, so that they mean the same on every byte order and at compile time, and
// compilers see one load or store and a byte swap in them, which they do not in a loop.
constexpr std::uint64_t load_big_endian(const char *bytes)
{
    const auto byte = [bytes](int i) {
        return std::uint64_t{static_cast<unsigned char>(bytes[i])} << (56 - 8 * i);
    };
    return byte(0) | byte(1) | byte(2) | byte(3) | byte(4) | byte(5) | byte(6) | byte(7);
}

constexpr void store_big_endian(std::uint64_t word, char *bytes)
{
    const auto byte = [word](int i) {
        return static_cast<char>(static_cast<unsigned char>(word >> (56 - 8 * i)));
    };
    bytes[0] = byte(0);
    bytes[1] = byte(1);
    bytes[2] = byte(2);
    bytes[3] = byte(3);
    bytes[4] = byte(4);
    bytes[5] = byte(5);
    bytes[6] = byte(6);
    bytes[7] = byte(7);
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
