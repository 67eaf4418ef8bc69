// Planner support (manual, "Function Optimization Information"). A support function answers the
// requests it knows and returns NULL for all else; it must not fail.

#include "core/modifier.hpp"
#include "pg/datum.hpp"
#include "pg/modifier.hpp"

using namespace pulid;

namespace {

// Whether an expression is a call such as pulid_generate('prd') that returns ids of this modifier.
// Every function whose first argument is the prefix of what it returns names our support function,
// and that is how it is recognised.
bool generates(Node *expression, int32 modifier, Oid our_support)
{
    if (!IsA(expression, FuncExpr))
        return false;
    const auto *call = reinterpret_cast<FuncExpr *>(expression);
    if (call->args == NIL || get_func_support(call->funcid) != our_support)
        return false;
    const auto *prefix = static_cast<Node *>(linitial(call->args));
    if (!IsA(prefix, Const))
        return false;
    const auto *constant = reinterpret_cast<const Const *>(prefix);
    if (constant->consttype != TEXTOID || constant->constisnull)
        return false;
    const std::string_view written = view_of(DatumGetTextPP(constant->constvalue));
    return is_prefix(written) && modifier_admits(modifier, written);
}

// The coercion's source in place of the coercion, if it provably has the modifier.
Node *simplify_coercion(const FuncExpr *coercion)
{
    if (list_length(coercion->args) < 2)
        return nullptr;
    auto *source = static_cast<Node *>(linitial(coercion->args));
    auto *argument = static_cast<Node *>(lsecond(coercion->args));
    // The generators have the same support function, but no id as their first argument.
    if (exprType(source) != coercion->funcresulttype || !IsA(argument, Const))
        return nullptr;
    const auto *constant = reinterpret_cast<Const *>(argument);
    if (constant->constisnull)
        return nullptr;
    const int32 modifier = DatumGetInt32(constant->constvalue);
    if (modifier == no_modifier || exprTypmod(source) == modifier ||
        generates(source, modifier, get_func_support(coercion->funcid)))
        return relabel_to_typmod(source, modifier);
    return nullptr;
}

} // namespace

PULID_FUNCTION(pulid_modifier_support)
{
    auto *request = static_cast<Node *>(static_cast<void *>(PG_GETARG_POINTER(0)));
    Node *result = nullptr;
    if (IsA(request, SupportRequestSimplify))
        result = simplify_coercion(reinterpret_cast<SupportRequestSimplify *>(request)->fcall);
    PG_RETURN_POINTER(result);
}
