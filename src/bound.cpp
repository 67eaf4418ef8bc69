// The type pulid_bound (pg/bound.hpp): functions that make bounds and the operators against ids.
// All but the input function are total, for they stand in for predicates that never raise: bad
// input makes an empty range.

#include "pg/bound.hpp"
#include "pg/datum.hpp"

using namespace pulid;

namespace pulid {

IdRange range_between(std::string_view prefix, TimestampTz since, TimestampTz until)
{
    return range_of_milliseconds(prefix, millisecond_from(since), millisecond_from(until));
}

} // namespace pulid

namespace {

BoundEnd end_argument(FunctionCallInfo fcinfo, int number)
{
    return PG_GETARG_BOOL(number) ? BoundEnd::upper : BoundEnd::lower;
}

Bound bound_argument(FunctionCallInfo fcinfo, int number)
{
    return bound_from_datum(PG_GETARG_DATUM(number));
}

int compare_id_bound(FunctionCallInfo fcinfo)
{
    return compare_with_text(id_argument(fcinfo, 0), bound_argument(fcinfo, 1).text());
}

int compare_bound_id(FunctionCallInfo fcinfo)
{
    return -compare_with_text(id_argument(fcinfo, 1), bound_argument(fcinfo, 0).text());
}

int compare_bounds(FunctionCallInfo fcinfo)
{
    return sign(bound_argument(fcinfo, 0).text().compare(bound_argument(fcinfo, 1).text()));
}

} // namespace

PULID_FUNCTION(pulid_bound_in)
{
    const std::string_view written = PG_GETARG_CSTRING(0);
    if (written.size() > max_text_bytes) {
        report_malformed_bound(written, fcinfo->context);
        return 0;
    }
    IdRange range;
    range.lower.append(written);
    range.upper.append(behind_all_ids);
    return datum_from_range(range, BoundEnd::alone);
}

PULID_FUNCTION(pulid_bound_out)
{
    const std::string_view shown = bound_argument(fcinfo, 0).text();
    PG_RETURN_CSTRING(pnstrdup(shown.data(), shown.size()));
}

PULID_FUNCTION(pulid_prefix_bound)
{
    return datum_from_range(range_of_prefix(text_argument(fcinfo, 0)), end_argument(fcinfo, 1));
}

PULID_FUNCTION(pulid_beginning_bound)
{
    return datum_from_range(range_of_beginning(text_argument(fcinfo, 0)), end_argument(fcinfo, 1));
}

PULID_FUNCTION(pulid_created_bound)
{
    const IdRange range =
        range_between(text_argument(fcinfo, 0), PG_GETARG_TIMESTAMPTZ(1), PG_GETARG_TIMESTAMPTZ(2));
    return datum_from_range(range, end_argument(fcinfo, 3));
}

PULID_FUNCTION(pulid_lt_bound) { PG_RETURN_BOOL(compare_id_bound(fcinfo) < 0); }
PULID_FUNCTION(pulid_le_bound) { PG_RETURN_BOOL(compare_id_bound(fcinfo) <= 0); }
PULID_FUNCTION(pulid_eq_bound) { PG_RETURN_BOOL(compare_id_bound(fcinfo) == 0); }
PULID_FUNCTION(pulid_ge_bound) { PG_RETURN_BOOL(compare_id_bound(fcinfo) >= 0); }
PULID_FUNCTION(pulid_gt_bound) { PG_RETURN_BOOL(compare_id_bound(fcinfo) > 0); }
PULID_FUNCTION(pulid_cmp_bound) { PG_RETURN_INT32(compare_id_bound(fcinfo)); }

PULID_FUNCTION(pulid_bound_lt_id) { PG_RETURN_BOOL(compare_bound_id(fcinfo) < 0); }
PULID_FUNCTION(pulid_bound_le_id) { PG_RETURN_BOOL(compare_bound_id(fcinfo) <= 0); }
PULID_FUNCTION(pulid_bound_eq_id) { PG_RETURN_BOOL(compare_bound_id(fcinfo) == 0); }
PULID_FUNCTION(pulid_bound_ge_id) { PG_RETURN_BOOL(compare_bound_id(fcinfo) >= 0); }
PULID_FUNCTION(pulid_bound_gt_id) { PG_RETURN_BOOL(compare_bound_id(fcinfo) > 0); }
PULID_FUNCTION(pulid_bound_cmp_id) { PG_RETURN_INT32(compare_bound_id(fcinfo)); }

PULID_FUNCTION(pulid_bound_lt) { PG_RETURN_BOOL(compare_bounds(fcinfo) < 0); }
PULID_FUNCTION(pulid_bound_le) { PG_RETURN_BOOL(compare_bounds(fcinfo) <= 0); }
PULID_FUNCTION(pulid_bound_eq) { PG_RETURN_BOOL(compare_bounds(fcinfo) == 0); }
PULID_FUNCTION(pulid_bound_ge) { PG_RETURN_BOOL(compare_bounds(fcinfo) >= 0); }
PULID_FUNCTION(pulid_bound_gt) { PG_RETURN_BOOL(compare_bounds(fcinfo) > 0); }
PULID_FUNCTION(pulid_bound_cmp) { PG_RETURN_INT32(compare_bounds(fcinfo)); }
