// Input and output functions. The wire format is the text, so both doors are one function, and recv
// accepts what in accepts.

#include "pg/datum.hpp"
#include "pg/modifier.hpp"

using namespace pulid;

namespace {

// 0 if the value is refused and context asks for soft errors.
Datum input(std::string_view written, FunctionCallInfo fcinfo, int sqlstate)
{
    const Oid type = PG_GETARG_OID(1);
    const int32 modifier = PG_GETARG_INT32(2);
    Id id;
    if (!parse<Case::fold>(written, id)) {
        report_malformed(written, sqlstate, fcinfo->context);
        return 0;
    }
    return enforce_modifier(id, modifier, type, fcinfo->context) ? datum_from_id(id) : 0;
}

} // namespace

PULID_FUNCTION(pulid_in)
{
    return input(PG_GETARG_CSTRING(0), fcinfo, ERRCODE_INVALID_TEXT_REPRESENTATION);
}

PULID_FUNCTION(pulid_out) { PG_RETURN_CSTRING(cstring_from_id(id_argument(fcinfo, 0))); }

PULID_FUNCTION(pulid_recv)
{
    auto *message = reinterpret_cast<StringInfo>(PG_GETARG_POINTER(0));
    const int size = message->len - message->cursor;
    // Raw bytes: an id is ASCII, so there is nothing to convert, and no encoding to be wrong about.
    const std::string_view written{pq_getmsgbytes(message, size), static_cast<std::size_t>(size)};
    return input(written, fcinfo, ERRCODE_INVALID_BINARY_REPRESENTATION);
}

PULID_FUNCTION(pulid_send)
{
    const IdView id = id_argument(fcinfo, 0);
    char written[max_text_bytes];
    print(id, written);
    StringInfoData message;
    pq_begintypsend(&message);
    pq_sendbytes(&message, written, static_cast<int>(id.text_size()));
    PG_RETURN_BYTEA_P(pq_endtypsend(&message));
}
