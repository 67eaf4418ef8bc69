// The type pulid_bound: one end of a range of ids, which knows the other end too. The planner puts
// it into conditions that it derives (planner.cpp), so that each of them can be estimated for the
// range as a whole (selectivity.cpp). In the btree family it is ordered by the end that it is.
#pragma once

#include "core/range.hpp"
#include "pg/server.hpp"

namespace pulid {

// A bound that was read as text, as one that a foreign server is sent, knows no other end; its
// range is then all from it on.
enum class BoundEnd : char { lower = 'l', upper = 'u', alone = 'a' };

// Stored:  [ which end: 1 byte ][ size of the lower text: 1 byte ][ lower text ][ upper text ]
struct Bound {
    BoundEnd end;
    std::string_view lower;
    std::string_view upper;

    std::string_view text() const { return end == BoundEnd::upper ? upper : lower; }
};

// InvalidOid if the catalogs are not as the extension's script left them.
inline Oid bound_type()
{
    return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, PointerGetDatum("pulid_bound"),
                           ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
}

inline Bound bound_from_datum(Datum datum)
{
    const auto *stored = DatumGetByteaPP(datum);
    const char *bytes = VARDATA_ANY(stored);
    const auto size = static_cast<std::size_t>(VARSIZE_ANY_EXHDR(stored));
    const auto lower_size = static_cast<std::size_t>(bytes[1]);
    return {static_cast<BoundEnd>(bytes[0]),
            {bytes + 2, lower_size},
            {bytes + 2 + lower_size, size - 2 - lower_size}};
}

inline Datum datum_from_range(const IdRange &range, BoundEnd end)
{
    const Size size = VARHDRSZ + 2 + range.lower.size + range.upper.size;
    auto *stored = static_cast<struct varlena *>(palloc(size));
    SET_VARSIZE(stored, size);
    char *output = VARDATA(stored);
    *output++ = static_cast<char>(end);
    *output++ = static_cast<char>(range.lower.size);
    std::memcpy(output, range.lower.bytes, range.lower.size);
    std::memcpy(output + range.lower.size, range.upper.bytes, range.upper.size);
    return PointerGetDatum(stored);
}

// The range of pulid_created_between: ids are of whole milliseconds, so both ends round up.
// Instants beyond what ids hold, infinite ones included, are at the end of the range.
IdRange range_between(std::string_view prefix, TimestampTz since, TimestampTz until);

} // namespace pulid
