// The check behind pulid('prd'), shared by the input functions and the coercion.
#pragma once

#include "core/modifier.hpp"
#include "pg/report.hpp"

namespace pulid {

// The modifier of plain pulid.
inline constexpr int32 no_modifier = -1;

// Whether the modifier admits the id. If not, raises 23514 for the type; returns false only if
// context asks for soft errors.
inline bool enforce_modifier(IdView id, int32 modifier, Oid type, Node *context)
{
    if (modifier == no_modifier || modifier_admits(modifier, id.prefix()))
        return true;
    const ModifierPrefix required = unpack_modifier(modifier);
    if (!required.known)
        report_reserved_modifier(modifier);
    report_wrong_prefix(id, required.prefix(), type, context);
    return false;
}

} // namespace pulid
