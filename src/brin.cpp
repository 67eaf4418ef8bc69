// The distance that BRIN minmax-multi merges ranges by.

#include "core/modifier.hpp"
#include "pg/datum.hpp"

using namespace pulid;

namespace {

constexpr double two_to_64 = 18446744073709551616.0;

double body_value(Ulid body)
{
    return static_cast<double>(body.high) * two_to_64 + static_cast<double>(body.low);
}

// The first six letters as a number that keeps their order; longer prefixes are told apart no
// further.
double prefix_value(std::string_view prefix)
{
    return pack_modifier({prefix.data(), Min(prefix.size(), max_modifier_prefix_bytes)});
}

// Subtracted as integers: as doubles, close bodies would be at distance 0.
Ulid difference(Ulid larger, Ulid smaller)
{
    const std::uint64_t borrow = larger.low < smaller.low ? 1 : 0;
    return {larger.high - smaller.high - borrow, larger.low - smaller.low};
}

} // namespace

// The caller passes the smaller id first. Never negative: core takes that for corruption.
PULID_FUNCTION(pulid_brin_distance)
{
    const IdView lower = id_argument(fcinfo, 0);
    const IdView upper = id_argument(fcinfo, 1);
    if (lower.prefix() == upper.prefix())
        PG_RETURN_FLOAT8(body_value(difference(upper.body(), lower.body())));
    const double prefixes = prefix_value(upper.prefix()) - prefix_value(lower.prefix());
    const double bodies = body_value(upper.body()) - body_value(lower.body());
    PG_RETURN_FLOAT8(Max(prefixes * two_to_64 * two_to_64 + bodies, 0.0));
}
