// The type modifier pulid('prd'): reading and printing it, and the coercion that enforces it.

#include "pg/datum.hpp"
#include "pg/modifier.hpp"

using namespace pulid;

PULID_FUNCTION(pulid_typmod_in)
{
    ArrayType *modifiers = PG_GETARG_ARRAYTYPE_P(0);
    Datum *elements = nullptr;
    bool *nulls = nullptr;
    int count = 0;
    deconstruct_array(modifiers, CSTRINGOID, -2, false, TYPALIGN_CHAR, &elements, &nulls, &count);
    if (ARR_NDIM(modifiers) != 1 || count != 1 || nulls[0])
        report_modifier_count();
    const std::string_view prefix = DatumGetCString(elements[0]);
    if (!is_prefix(prefix))
        report_invalid_prefix(prefix);
    if (prefix.size() > max_modifier_prefix_bytes)
        report_prefix_too_long_for_modifier(prefix);
    PG_RETURN_INT32(pack_modifier(prefix));
}

// Quoted, because pulid(user) and pulid(order) do not parse. A reserved code is printed as a
// number, which typmod_in refuses.
PULID_FUNCTION(pulid_typmod_out)
{
    const int32 modifier = PG_GETARG_INT32(0);
    const ModifierPrefix unpacked = unpack_modifier(modifier);
    if (!unpacked.known)
        PG_RETURN_CSTRING(psprintf("(%d)", modifier));
    PG_RETURN_CSTRING(psprintf("('%.*s')", static_cast<int>(unpacked.size), unpacked.bytes));
}

// The third argument, whether the cast is explicit, makes no difference: a wrong prefix is never
// turned into a right one.
PULID_FUNCTION(pulid_coerce)
{
    const IdView id = id_argument(fcinfo, 0);
    enforce_modifier(id, PG_GETARG_INT32(1), get_fn_expr_rettype(fcinfo->flinfo), nullptr);
    return short_datum(PG_GETARG_DATUM(0));
}
