// Datum to value and back. An id reads the same with a 1-byte and with a 4-byte header (array
// elements have the latter); what this extension returns always has the 1-byte one.
#pragma once

#include "core/text.hpp"
#include "pg/report.hpp"
#include "pg/server.hpp"

namespace pulid {

// The SQL type says the same: CREATE TYPE ... ALIGNMENT = int4, STORAGE = plain.
static_assert(max_stored_bytes + VARHDRSZ_SHORT <= VARATT_SHORT_MAX);

// Whether a value has the 1-byte header and is all there.
inline bool is_short(const void *stored)
{
    return VARATT_IS_SHORT(stored) && !VARATT_IS_EXTERNAL(stored);
}

// Points into the Datum. Allocates only for a toasted one, which plain storage never makes.
inline IdView id_from_datum(Datum datum)
{
    auto *stored = reinterpret_cast<struct varlena *>(DatumGetPointer(datum));
    if (likely(is_short(stored)))
        return {VARDATA_SHORT(stored), VARSIZE_SHORT(stored) - VARHDRSZ_SHORT};
    if (unlikely(VARATT_IS_COMPRESSED(stored) || VARATT_IS_EXTERNAL(stored)))
        stored = pg_detoast_datum_packed(stored);
    return {VARDATA_ANY(stored), VARSIZE_ANY_EXHDR(stored)};
}

inline Datum datum_from_id(IdView id)
{
    const Size size = id.size + VARHDRSZ_SHORT;
    auto *stored = static_cast<char *>(palloc(size));
    SET_VARSIZE_SHORT(stored, size);
    std::memcpy(VARDATA_SHORT(stored), id.bytes, id.size);
    return PointerGetDatum(stored);
}

inline char *cstring_from_id(IdView id)
{
    auto *printed = static_cast<char *>(palloc(id.text_size() + 1));
    print(id, printed);
    printed[id.text_size()] = '\0';
    return printed;
}

// An argument that is returned as it came, but for its header.
inline Datum short_datum(Datum datum)
{
    return is_short(DatumGetPointer(datum)) ? datum : datum_from_id(id_from_datum(datum));
}

inline IdView id_argument(FunctionCallInfo fcinfo, int number)
{
    return id_from_datum(PG_GETARG_DATUM(number));
}

inline std::string_view view_of(const text *packed)
{
    return {VARDATA_ANY(packed), VARSIZE_ANY_EXHDR(packed)};
}

inline std::string_view text_argument(FunctionCallInfo fcinfo, int number)
{
    return view_of(PG_GETARG_TEXT_PP(number));
}

// Raises 22023 for what is no prefix; '' is one.
inline std::string_view prefix_argument(FunctionCallInfo fcinfo, int number)
{
    const std::string_view prefix = text_argument(fcinfo, number);
    if (!is_prefix(prefix))
        report_invalid_prefix(prefix);
    return prefix;
}

inline Datum text_datum(std::string_view view)
{
    return PointerGetDatum(cstring_to_text_with_len(view.data(), static_cast<int>(view.size())));
}

// Instants. The caller of unix_microseconds has checked the range.
inline constexpr int64 unix_epoch = // in microseconds of PostgreSQL's epoch, 2000-01-01
    (static_cast<int64>(UNIX_EPOCH_JDATE) - POSTGRES_EPOCH_JDATE) * USECS_PER_DAY;

inline constexpr int64 last_instant = unix_epoch + static_cast<int64>(last_millisecond) * 1000;

inline std::uint64_t unix_microseconds(TimestampTz instant)
{
    return static_cast<std::uint64_t>(instant - unix_epoch);
}

// The first millisecond that is not before an instant; one past the last for any later instant.
// Infinite instants are the smallest and the largest int64, so they need no case of their own.
inline std::uint64_t millisecond_from(TimestampTz instant)
{
    if (instant <= unix_epoch)
        return 0;
    if (instant > last_instant)
        return last_millisecond + 1;
    return (unix_microseconds(instant) + 999) / 1000;
}

inline TimestampTz instant_of(IdView id)
{
    return unix_epoch + static_cast<int64>(id.body().milliseconds()) * 1000;
}

} // namespace pulid
