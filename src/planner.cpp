// Planner support (manual, "Function Optimization Information"). A support function answers the
// requests it knows and returns NULL for all else; it must not fail.

#include "pg/bound.hpp"
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
    const auto *named = reinterpret_cast<const Const *>(prefix);
    if (named->consttype != TEXTOID || named->constisnull)
        return false;
    const std::string_view written = view_of(DatumGetTextPP(named->constvalue));
    return is_prefix(written) && modifier_admits(modifier, written);
}

// What a column of a subquery is computed from, as of SELECT pulid_generate('prd') below an INSERT.
Node *see_through_subquery(Node *expression, PlannerInfo *root)
{
    if (root == nullptr || !IsA(expression, Var))
        return expression;
    const auto *column = reinterpret_cast<Var *>(expression);
    const auto table = static_cast<int>(column->varno);
    if (column->varlevelsup != 0 || table < 1 || table > list_length(root->parse->rtable))
        return expression;
    const RangeTblEntry *entry = rt_fetch(table, root->parse->rtable);
    if (entry->rtekind != RTE_SUBQUERY || entry->subquery == nullptr ||
        entry->subquery->setOperations != nullptr)
        return expression;
    const TargetEntry *computed = get_tle_by_resno(entry->subquery->targetList, column->varattno);
    return computed == nullptr ? expression : reinterpret_cast<Node *>(computed->expr);
}

// The coercion's source in place of the coercion, if it provably has the modifier.
Node *simplify_coercion(const FuncExpr *coercion, PlannerInfo *root)
{
    if (list_length(coercion->args) < 2)
        return nullptr;
    auto *source = static_cast<Node *>(linitial(coercion->args));
    auto *argument = static_cast<Node *>(lsecond(coercion->args));
    // The generators have the same support function, but no id as their first argument.
    if (exprType(source) != coercion->funcresulttype || !IsA(argument, Const))
        return nullptr;
    const auto *wanted = reinterpret_cast<Const *>(argument);
    if (wanted->constisnull)
        return nullptr;
    const int32 modifier = DatumGetInt32(wanted->constvalue);
    if (modifier == no_modifier || exprTypmod(source) == modifier ||
        generates(see_through_subquery(source, root), modifier, get_func_support(coercion->funcid)))
        return relabel_to_typmod(source, modifier);
    return nullptr;
}

// Predicates that hold for a contiguous range of ids are replaced by conditions on its bounds,
//
//     pulid_has_prefix(id, 'prd')   id >= bound 'prd_0' AND id < bound 'prd_8'
//
// which indexes, partition pruning, partial indexes and constraint exclusion all understand. The
// form depends on the call alone, not on the query around it, so that what stands in an index or a
// CHECK meets its like (but see column_prefix). A condition is strict as the call is: NULL and NOT
// keep their meaning.
struct BoundOperators {
    Oid bound_type;
    Oid at_or_above;
    Oid below;
};

// False if the catalogs are not as the extension's script left them.
bool find_operators(Oid id_type, BoundOperators &found)
{
    found.bound_type = bound_type();
    const Oid opclass = GetDefaultOpClass(id_type, BTREE_AM_OID);
    if (!OidIsValid(found.bound_type) || !OidIsValid(opclass))
        return false;
    const Oid family = get_opclass_family(opclass);
    found.at_or_above =
        get_opfamily_member(family, id_type, found.bound_type, BTGreaterEqualStrategyNumber);
    found.below = get_opfamily_member(family, id_type, found.bound_type, BTLessStrategyNumber);
    return OidIsValid(found.at_or_above) && OidIsValid(found.below);
}

// Each argument comes to stand twice. That must change nothing but the form: no volatile function,
// no subquery, and no more work than inlining a function would repeat.
bool may_stand_twice(Node *argument)
{
    if (IsA(argument, Const) || IsA(argument, Param) || IsA(argument, Var))
        return true;
    if (contain_volatile_functions(argument) || contain_subplans(argument))
        return false;
    QualCost cost;
    cost_qual_eval_node(&cost, argument, nullptr);
    return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}

bool all_may_stand_twice(List *arguments)
{
    for (int i = 0; i < list_length(arguments); i++)
        if (!may_stand_twice(static_cast<Node *>(list_nth(arguments, i))))
            return false;
    return true;
}

Const *constant(Node *node)
{
    if (!IsA(node, Const) || reinterpret_cast<Const *>(node)->constisnull)
        return nullptr;
    return reinterpret_cast<Const *>(node);
}

Expr *bound_constant(const IdRange &range, BoundEnd end, Oid bound_type)
{
    return reinterpret_cast<Expr *>(
        makeConst(bound_type, -1, InvalidOid, -1, datum_from_range(range, end), false, false));
}

// A call of the function that makes the bound when the arguments are known.
Expr *bound_call(const char *function, List *arguments, BoundEnd end, Oid bound_type)
{
    auto *which = makeBoolConst(end == BoundEnd::upper, false);
    List *with_end = lappend(static_cast<List *>(copyObject(arguments)), which);
    Oid types[4];
    for (int i = 0; i < list_length(with_end); i++)
        types[i] = exprType(static_cast<Node *>(list_nth(with_end, i)));
    const Oid oid = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, PointerGetDatum(function),
                                    PointerGetDatum(buildoidvector(types, list_length(with_end))),
                                    ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
    if (!OidIsValid(oid))
        return nullptr;
    return reinterpret_cast<Expr *>(
        makeFuncExpr(oid, bound_type, with_end, InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}

Expr *condition(Oid operator_oid, Expr *id, Expr *bound)
{
    Expr *clause = make_opclause(operator_oid, BOOLOID, false, id, bound, InvalidOid, InvalidOid);
    set_opfuncid(reinterpret_cast<OpExpr *>(clause));
    return clause;
}

// The two conditions on id. The bounds are constants if range is given, else calls of function with
// the arguments. NULL if that is not to be had.
Node *in_range(Node *id, const IdRange *range, const char *function, List *arguments)
{
    BoundOperators operators;
    if (!find_operators(exprType(id), operators))
        return nullptr;
    const auto bound = [&](BoundEnd end) {
        return range != nullptr ? bound_constant(*range, end, operators.bound_type)
                                : bound_call(function, arguments, end, operators.bound_type);
    };
    Expr *lower = bound(BoundEnd::lower);
    Expr *upper = bound(BoundEnd::upper);
    if (lower == nullptr || upper == nullptr)
        return nullptr;
    auto *copy = static_cast<Expr *>(copyObjectImpl(id));
    return reinterpret_cast<Node *>(make_andclause(
        list_make2(condition(operators.at_or_above, reinterpret_cast<Expr *>(id), lower),
                   condition(operators.below, copy, upper))));
}

// predicate(id, text), whose range is range_of(text).
Node *simplify_text_predicate(const FuncExpr *call, IdRange (*range_of)(std::string_view),
                              const char *bound_function)
{
    if (list_length(call->args) != 2 || !all_may_stand_twice(call->args))
        return nullptr;
    auto *id = static_cast<Node *>(linitial(call->args));
    const Const *text_constant = constant(static_cast<Node *>(lsecond(call->args)));
    if (text_constant == nullptr)
        return in_range(id, nullptr, bound_function, list_make1(lsecond(call->args)));
    const IdRange range = range_of(view_of(DatumGetTextPP(text_constant->constvalue)));
    return in_range(id, &range, nullptr, NIL);
}

// The prefix of every id that an expression can give, for which only the column of a stored table
// vouches: a modifier elsewhere may be just claimed, as in FROM f() AS t(id pulid('prd')). Without
// a root the expression is of an index or a constraint, and its columns are the table's. A CHECK
// that is examined for exclusion comes with the root of the query, but its columns are numbered 1
// all the same; so it is not simplified where the first in FROM is no table, and excludes nothing.
bool column_prefix(Node *id, PlannerInfo *root, ModifierPrefix &prefix)
{
    while (IsA(id, RelabelType)) // a domain over pulid
        id = reinterpret_cast<Node *>(reinterpret_cast<RelabelType *>(id)->arg);
    if (!IsA(id, Var))
        return false;
    const auto *column = reinterpret_cast<Var *>(id);
    if (column->varlevelsup != 0)
        return false;
    if (root != nullptr) {
        if (column->varno < 1 || static_cast<int>(column->varno) > list_length(root->parse->rtable))
            return false;
        const RangeTblEntry *table = rt_fetch(column->varno, root->parse->rtable);
        // Nothing enforces the modifier in a foreign table, or in a view with INSTEAD OF triggers.
        if (table->rtekind != RTE_RELATION ||
            (table->relkind != RELKIND_RELATION && table->relkind != RELKIND_PARTITIONED_TABLE &&
             table->relkind != RELKIND_MATVIEW))
            return false;
    }
    int32 modifier = column->vartypmod;
    getBaseTypeAndTypmod(column->vartype, &modifier);
    prefix = unpack_modifier(modifier);
    return prefix.known;
}

Node *simplify_created_between(const FuncExpr *call, PlannerInfo *root)
{
    if (list_length(call->args) != 3 || !all_may_stand_twice(call->args))
        return nullptr;
    auto *id = static_cast<Node *>(linitial(call->args));
    ModifierPrefix prefix;
    if (!column_prefix(id, root, prefix))
        return nullptr;
    const Const *since = constant(static_cast<Node *>(lsecond(call->args)));
    const Const *until = constant(static_cast<Node *>(lthird(call->args)));
    if (since != nullptr && until != nullptr) {
        const IdRange range = range_between(prefix.prefix(), DatumGetTimestampTz(since->constvalue),
                                            DatumGetTimestampTz(until->constvalue));
        return in_range(id, &range, nullptr, NIL);
    }
    Const *prefix_constant = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
                                       text_datum(prefix.prefix()), false, false);
    return in_range(id, nullptr, "pulid_created_bound",
                    list_make3(prefix_constant, lsecond(call->args), lthird(call->args)));
}

// The request to simplify, or NULL if another is made.
const SupportRequestSimplify *simplify_request(FunctionCallInfo fcinfo)
{
    auto *request = reinterpret_cast<Node *>(PG_GETARG_POINTER(0));
    return IsA(request, SupportRequestSimplify)
               ? reinterpret_cast<SupportRequestSimplify *>(request)
               : nullptr;
}

} // namespace

PULID_FUNCTION(pulid_modifier_support)
{
    const auto *request = simplify_request(fcinfo);
    PG_RETURN_POINTER(request == nullptr ? nullptr
                                         : simplify_coercion(request->fcall, request->root));
}

PULID_FUNCTION(pulid_has_prefix_support)
{
    const auto *request = simplify_request(fcinfo);
    PG_RETURN_POINTER(request == nullptr ? nullptr
                                         : simplify_text_predicate(request->fcall, range_of_prefix,
                                                                   "pulid_prefix_bound"));
}

PULID_FUNCTION(pulid_starts_with_support)
{
    const auto *request = simplify_request(fcinfo);
    PG_RETURN_POINTER(
        request == nullptr
            ? nullptr
            : simplify_text_predicate(request->fcall, range_of_beginning, "pulid_beginning_bound"));
}

PULID_FUNCTION(pulid_created_between_support)
{
    const auto *request = simplify_request(fcinfo);
    PG_RETURN_POINTER(request == nullptr ? nullptr
                                         : simplify_created_between(request->fcall, request->root));
}
