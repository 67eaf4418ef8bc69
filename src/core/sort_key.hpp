// A 64-bit key for sorting, an order-preserving truncation of the id. A plain truncation would be
// nearly constant in a column with one prefix, so the key is anchored on a prefix (the first that a
// sort meets) and spends its bits on the body where the prefix is that one:
//
//     prefix        2 bits   62 bits
//     below anchor    00     prefix, 6 x 5 bits (end 0, '_' 1, 'a'..'z' 2..27); 32 clock bits
//     the anchor      01     the leading bits of the body
//     above anchor    10     as below the anchor
//
// Why the order holds: the first two bits order the three classes. Within the anchor's class the
// key is a truncation of the body. Within the others, prefixes that differ in their first six
// letters are in the order of these letters, end first. Prefixes that agree in them are the same,
// and the clock decides; or they have six letters and more, and whatever is longer than six has all
// clock bits set, so that "abcdef_7..." does not pass "abcdefg_0...". Equal keys decide nothing:
// compare() does.
#pragma once

#include "core/id.hpp"
#include "core/modifier.hpp"

namespace pulid {

constexpr std::uint64_t sort_key(IdView id, std::string_view anchor)
{
    const std::string_view prefix = id.prefix();
    const int side = prefix.compare(anchor);
    const Ulid body = id.body();
    if (side == 0)
        return (std::uint64_t{1} << 62) | (body.high >> 2);

    constexpr std::size_t letters = 6;
    std::uint64_t packed = 0;
    for (std::size_t i = 0; i < letters; i++)
        packed = (packed << 5) | (i < prefix.size() ? prefix_character_code(prefix[i]) : 0U);
    const std::uint64_t clock = prefix.size() <= letters ? body.high >> 32 : 0xffffffff;
    return (side < 0 ? std::uint64_t{0} : std::uint64_t{2} << 62) | (packed << 32) | clock;
}

} // namespace pulid
