// Taking ids apart and putting them together: accessors, constructors, bounds, casts.

#include "pg/datum.hpp"

using namespace pulid;

namespace {

Datum uuid_datum(Ulid body)
{
    auto *uuid = static_cast<pg_uuid_t *>(palloc(sizeof(pg_uuid_t)));
    store_ulid(body, reinterpret_cast<char *>(uuid->data));
    return UUIDPGetDatum(uuid);
}

Ulid uuid_argument(FunctionCallInfo fcinfo, int number)
{
    return load_ulid(reinterpret_cast<const char *>(PG_GETARG_UUID_P(number)->data));
}

Datum printed_body(IdView id)
{
    char printed[body_characters];
    encode_body(id.body(), printed);
    return text_datum({printed, sizeof printed});
}
} // namespace

PULID_FUNCTION(pulid_prefix) { return text_datum(id_argument(fcinfo, 0).prefix()); }

PULID_FUNCTION(pulid_ulid) { return printed_body(id_argument(fcinfo, 0)); }

PULID_FUNCTION(pulid_timestamp) { PG_RETURN_TIMESTAMPTZ(instant_of(id_argument(fcinfo, 0))); }

PULID_FUNCTION(pulid_uuid) { return uuid_datum(id_argument(fcinfo, 0).body()); }

PULID_FUNCTION(pulid_text)
{
    const IdView id = id_argument(fcinfo, 0);
    char printed[max_text_bytes];
    print(id, printed);
    return text_datum({printed, id.text_size()});
}

PULID_FUNCTION(pulid_inspect)
{
    TupleDesc columns = nullptr;
    if (get_call_result_type(fcinfo, nullptr, &columns) != TYPEFUNC_COMPOSITE)
        elog(ERROR, "return type must be a row type");
    columns = BlessTupleDesc(columns);

    const IdView id = id_argument(fcinfo, 0);
    const Ulid body = id.body();
    char *random = psprintf("%04x%016" PRIx64, static_cast<unsigned>(body.high & 0xffff), body.low);
    Datum values[] = {text_datum(id.prefix()), printed_body(id),
                      TimestampTzGetDatum(instant_of(id)), uuid_datum(body),
                      CStringGetTextDatum(random)};
    bool nulls[] = {false, false, false, false, false};
    return HeapTupleGetDatum(heap_form_tuple(columns, values, nulls));
}

PULID_FUNCTION(pulid_from_uuid)
{
    const std::string_view prefix = prefix_argument(fcinfo, 0);
    return datum_from_id(Id(prefix, uuid_argument(fcinfo, 1)));
}

PULID_FUNCTION(pulid_from_uuid_bare) { return datum_from_id(Id("", uuid_argument(fcinfo, 0))); }

PULID_FUNCTION(pulid_with_prefix)
{
    const IdView id = id_argument(fcinfo, 0);
    const std::string_view prefix = prefix_argument(fcinfo, 1);
    if (!id.prefix().empty() && id.prefix() != prefix)
        report_wrong_prefix(id, prefix, InvalidOid, nullptr);
    return datum_from_id(Id(prefix, id.body()));
}

PULID_FUNCTION(pulid_strip_prefix) { return datum_from_id(Id("", id_argument(fcinfo, 0).body())); }

PULID_FUNCTION(pulid_has_prefix)
{
    PG_RETURN_BOOL(id_argument(fcinfo, 0).prefix() == text_argument(fcinfo, 1));
}

PULID_FUNCTION(pulid_min)
{
    return datum_from_id(Id(prefix_argument(fcinfo, 0), first_of_millisecond(0)));
}

PULID_FUNCTION(pulid_max)
{
    return datum_from_id(Id(prefix_argument(fcinfo, 0), last_of_millisecond(last_millisecond)));
}

PULID_FUNCTION(pulid_lower_bound)
{
    const std::string_view prefix = prefix_argument(fcinfo, 0);
    const std::uint64_t milliseconds = millisecond_from(PG_GETARG_TIMESTAMPTZ(1));
    if (milliseconds > last_millisecond)
        report_instant_out_of_range();
    return datum_from_id(Id(prefix, first_of_millisecond(milliseconds)));
}

PULID_FUNCTION(pulid_upper_bound)
{
    const std::string_view prefix = prefix_argument(fcinfo, 0);
    const TimestampTz until = PG_GETARG_TIMESTAMPTZ(1);
    if (until < unix_epoch)
        report_instant_out_of_range();
    const std::uint64_t milliseconds =
        until >= last_instant ? last_millisecond : unix_microseconds(until) / 1000;
    return datum_from_id(Id(prefix, last_of_millisecond(milliseconds)));
}

PULID_FUNCTION(pulid_created_between)
{
    const TimestampTz created_at = instant_of(id_argument(fcinfo, 0));
    PG_RETURN_BOOL(created_at >= PG_GETARG_TIMESTAMPTZ(1) && created_at < PG_GETARG_TIMESTAMPTZ(2));
}
