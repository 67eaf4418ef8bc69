// Hashing. Ids hash their stored bytes. In the hash family a text must hash as the id that it is
// equal to, so a canonical id in a text hashes what the id would store; any other text its bytes.

#include "pg/datum.hpp"

using namespace pulid;

namespace {

struct Hashed {
    const unsigned char *bytes;
    int size;
};

Hashed hashed(std::string_view bytes)
{
    return {reinterpret_cast<const unsigned char *>(bytes.data()), static_cast<int>(bytes.size())};
}

Hashed hashed(IdView id) { return hashed(std::string_view(id.bytes, id.size)); }

// What a text hashes; an id in it is stored in room.
Hashed hashed_text(std::string_view written, Id &room)
{
    return parse<Case::exact>(written, room) ? hashed(room) : hashed(written);
}

} // namespace

PULID_FUNCTION(pulid_hash)
{
    const Hashed input = hashed(id_argument(fcinfo, 0));
    return hash_any(input.bytes, input.size);
}

PULID_FUNCTION(pulid_hash_extended)
{
    const Hashed input = hashed(id_argument(fcinfo, 0));
    return hash_any_extended(input.bytes, input.size, static_cast<uint64>(PG_GETARG_INT64(1)));
}

PULID_FUNCTION(pulid_hash_text)
{
    text *argument = PG_GETARG_TEXT_PP(0);
    Id room;
    const Hashed input = hashed_text(view_of(argument), room);
    const Datum result = hash_any(input.bytes, input.size);
    PG_FREE_IF_COPY(argument, 0);
    return result;
}

PULID_FUNCTION(pulid_hash_text_extended)
{
    text *argument = PG_GETARG_TEXT_PP(0);
    Id room;
    const Hashed input = hashed_text(view_of(argument), room);
    const Datum result =
        hash_any_extended(input.bytes, input.size, static_cast<uint64>(PG_GETARG_INT64(1)));
    PG_FREE_IF_COPY(argument, 0);
    return result;
}

// Bytewise equality of texts, whatever their collation: what the hash family means by equal.
PULID_FUNCTION(pulid_text_bytewise_eq)
{
    const Datum left = PG_GETARG_DATUM(0);
    const Datum right = PG_GETARG_DATUM(1);
    if (toast_raw_datum_size(left) != toast_raw_datum_size(right))
        PG_RETURN_BOOL(false);
    text *left_text = PG_GETARG_TEXT_PP(0);
    text *right_text = PG_GETARG_TEXT_PP(1);
    const bool result = view_of(left_text) == view_of(right_text);
    PG_FREE_IF_COPY(left_text, 0);
    PG_FREE_IF_COPY(right_text, 1);
    PG_RETURN_BOOL(result);
}
