// The distance that BRIN minmax-multi merges ranges by.

#include "core/distance.hpp"
#include "pg/datum.hpp"

using namespace pulid;

// The caller passes the smaller id first. Never negative: core takes that for corruption.
PULID_FUNCTION(pulid_brin_distance)
{
    PG_RETURN_FLOAT8(distance(id_argument(fcinfo, 0), id_argument(fcinfo, 1)));
}
