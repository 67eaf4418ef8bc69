// What ANALYZE keeps about a column of ids beyond the usual: how often each prefix occurs. Ids of a
// rare prefix may all lie between two values of the histogram, which then says nothing about them.
#pragma once

namespace pulid {

// The kind of our slot in pg_statistic: values are the prefixes, numbers three for each of them.
// pg_statistic.h leaves 10000 to 30000 to whoever picks a code at random.
inline constexpr int prefix_statistics_kind = 21733;

enum PrefixNumber {
    share_of_rows,
    // Of its smallest and largest body among all bodies, 0 to 1. A float4 is exact to about two
    // minutes there, enough for where the ids begin and end.
    first_position,
    last_position,
    numbers_of_prefix,
};

} // namespace pulid
