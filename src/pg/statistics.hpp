// What ANALYZE keeps about a column of ids beyond the usual: how often each prefix occurs. Ids of a
// rare prefix may all lie between two values of the histogram, which then says nothing about them.
#pragma once

namespace pulid {

// The kind of our slot in pg_statistic: texts are the prefixes, numbers their shares of all rows.
// pg_statistic.h leaves 10000 to 30000 to whoever picks a code at random.
inline constexpr int prefix_statistics_kind = 21733;

} // namespace pulid
