// How far two ids are apart: in numbers of bodies, 2^128 to a step of the prefix.
#pragma once

#include "core/id.hpp"
#include "core/modifier.hpp"

namespace pulid {

inline constexpr double bodies_of_a_prefix = two_to_64 * two_to_64;

// In halves, because machines convert signed integers, and the sign bit of a random word is a
// branch that no processor foresees.
constexpr double word_value(std::uint64_t word)
{
    return static_cast<double>(word >> 32) * 4294967296.0 + static_cast<double>(word & 0xffffffff);
}

constexpr double body_value(Ulid body)
{
    return word_value(body.high) * two_to_64 + word_value(body.low);
}

// The first six letters as a number that keeps their order; longer prefixes are told apart no
// further.
constexpr double prefix_value(std::string_view prefix)
{
    const std::size_t letters =
        prefix.size() < max_modifier_prefix_bytes ? prefix.size() : max_modifier_prefix_bytes;
    return pack_modifier({prefix.data(), letters});
}

// Subtracted as integers: as doubles, close bodies would be at distance 0.
constexpr Ulid difference(Ulid larger, Ulid smaller)
{
    const std::uint64_t borrow = larger.low < smaller.low ? 1 : 0;
    return {larger.high - smaller.high - borrow, larger.low - smaller.low};
}

// The smaller id comes first. Never negative; 0 for different ids only if they have long prefixes
// that agree in six letters.
constexpr double distance(IdView smaller, IdView larger)
{
    if (smaller.prefix() == larger.prefix())
        return body_value(difference(larger.body(), smaller.body()));
    const double prefixes = prefix_value(larger.prefix()) - prefix_value(smaller.prefix());
    const double bodies = body_value(larger.body()) - body_value(smaller.body());
    const double result = prefixes * bodies_of_a_prefix + bodies;
    return result > 0 ? result : 0;
}

} // namespace pulid
