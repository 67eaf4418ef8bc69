// What the catalogs say about prefixes, for the view prefixed_ulid.columns. CHECK constraints and
// defaults are read as the parser left them: in the text that pg_get_expr makes of them, names may
// be qualified or quoted, and casts shown or not. Of a function only the OID tells what it is.

#include "pg/datum.hpp"
#include "pg/modifier.hpp"

using namespace pulid;

namespace {

// The caller got the tree from a catalog: nothing else makes a pg_node_tree. It may be of any kind,
// and NULL, which is how pg_rewrite writes "no condition".
Node *tree_argument(FunctionCallInfo fcinfo, int number)
{
    return static_cast<Node *>(stringToNode(text_to_cstring(PG_GETARG_TEXT_PP(number))));
}

// Whether a function is the one of ours by this name. Nobody else puts functions into pg_catalog.
bool is_ours(Oid function, std::string_view name)
{
    if (get_func_namespace(function) != PG_CATALOG_NAMESPACE)
        return false;
    const char *found = get_func_name(function);
    return found != nullptr && found == name;
}

// What is cast, whatever the casts.
Node *below_casts(Node *expression)
{
    for (;;) {
        switch (nodeTag(expression)) {
        case T_RelabelType:
            expression = reinterpret_cast<Node *>(reinterpret_cast<RelabelType *>(expression)->arg);
            break;
        case T_CollateExpr:
            expression = reinterpret_cast<Node *>(reinterpret_cast<CollateExpr *>(expression)->arg);
            break;
        case T_CoerceViaIO:
            expression = reinterpret_cast<Node *>(reinterpret_cast<CoerceViaIO *>(expression)->arg);
            break;
        case T_CoerceToDomain:
            expression =
                reinterpret_cast<Node *>(reinterpret_cast<CoerceToDomain *>(expression)->arg);
            break;
        case T_FuncExpr: {
            const auto *call = reinterpret_cast<FuncExpr *>(expression);
            if ((call->funcformat != COERCE_IMPLICIT_CAST &&
                 call->funcformat != COERCE_EXPLICIT_CAST) ||
                call->args == NIL)
                return expression;
            expression = static_cast<Node *>(linitial(call->args));
            break;
        }
        default:
            return expression;
        }
    }
}

// A prefix that stands in an expression as a constant. Casts that may change a text do not count.
bool constant_prefix(Node *expression, std::string_view &prefix)
{
    while (IsA(expression, RelabelType))
        expression = reinterpret_cast<Node *>(reinterpret_cast<RelabelType *>(expression)->arg);
    if (!IsA(expression, Const))
        return false;
    const auto *constant = reinterpret_cast<Const *>(expression);
    if (constant->constisnull ||
        (constant->consttype != TEXTOID && constant->consttype != VARCHAROID))
        return false;
    prefix = view_of(DatumGetTextPP(constant->constvalue));
    return is_prefix(prefix);
}

// Whether an expression is the column that a CHECK constraint is about; 0 is the value of a domain.
bool is_column(Node *expression, AttrNumber column)
{
    expression = below_casts(expression);
    if (column == 0)
        return IsA(expression, CoerceToDomainValue);
    return IsA(expression, Var) && reinterpret_cast<Var *>(expression)->varattno == column;
}

bool is_null_test(Node *condition, AttrNumber column)
{
    if (!IsA(condition, NullTest))
        return false;
    const auto *test = reinterpret_cast<NullTest *>(condition);
    return test->nulltesttype == IS_NULL && is_column(reinterpret_cast<Node *>(test->arg), column);
}

// Adds to found a row for each prefix that a condition demands of a column, if not null.
void add_demanded_prefixes(Node *condition, AttrNumber column, ReturnSetInfo *found)
{
    check_stack_depth();
    if (is_andclause(condition) || is_orclause(condition)) {
        const List *parts = reinterpret_cast<BoolExpr *>(condition)->args;
        // Of alternatives, only id IS NULL OR pulid_has_prefix(id, 'prd') demands something.
        int null_tests = 0;
        for (int i = 0; i < list_length(parts); i++)
            null_tests += is_null_test(static_cast<Node *>(list_nth(parts, i)), column) ? 1 : 0;
        if (is_orclause(condition) && list_length(parts) - null_tests != 1)
            return;
        for (int i = 0; i < list_length(parts); i++)
            add_demanded_prefixes(static_cast<Node *>(list_nth(parts, i)), column, found);
        return;
    }
    if (!IsA(condition, FuncExpr))
        return;
    const auto *call = reinterpret_cast<FuncExpr *>(condition);
    std::string_view prefix;
    if (list_length(call->args) == 2 &&
        (is_ours(call->funcid, "pulid_has_prefix") ||
         is_ours(call->funcid, "pulid_is_canonical")) &&
        is_column(static_cast<Node *>(linitial(call->args)), column) &&
        constant_prefix(static_cast<Node *>(lsecond(call->args)), prefix)) {
        Datum row = text_datum(prefix);
        bool is_null = false;
        tuplestore_putvalues(found->setResult, found->setDesc, &row, &is_null);
    }
}

// Whether an expression makes ids of one prefix. As the planner does, this knows the functions
// whose first argument is the prefix of what they return by their support function.
bool generated_prefix(Node *expression, std::string_view &prefix)
{
    expression = below_casts(expression);
    if (!IsA(expression, FuncExpr))
        return false;
    const auto *call = reinterpret_cast<FuncExpr *>(expression);
    if (call->args == NIL)
        return is_ours(call->funcid, "pulid_generate"); // bare ULIDs; prefix is empty
    return is_ours(get_func_support(call->funcid), "pulid_modifier_support") &&
           constant_prefix(static_cast<Node *>(linitial(call->args)), prefix);
}

// What a function of the form RETURN expression returns; NULL for any other.
Node *returned_expression(Oid function)
{
    HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
    if (!HeapTupleIsValid(tuple))
        return nullptr;
    bool no_body = true;
    const Datum body = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosqlbody, &no_body);
    auto *parsed = no_body ? nullptr : static_cast<Node *>(stringToNode(TextDatumGetCString(body)));
    ReleaseSysCache(tuple);
    if (parsed == nullptr || !IsA(parsed, Query))
        return nullptr;
    const auto *query = reinterpret_cast<Query *>(parsed);
    if (!query->isReturn || list_length(query->targetList) != 1)
        return nullptr;
    return reinterpret_cast<Node *>(linitial_node(TargetEntry, query->targetList)->expr);
}

// As generated_prefix, also through a function without arguments such as create_generator makes.
bool default_prefix(Node *expression, std::string_view &prefix)
{
    if (generated_prefix(expression, prefix))
        return true;
    expression = below_casts(expression);
    if (!IsA(expression, FuncExpr) || reinterpret_cast<FuncExpr *>(expression)->args != NIL)
        return false;
    Node *returned = returned_expression(reinterpret_cast<FuncExpr *>(expression)->funcid);
    return returned != nullptr && generated_prefix(returned, prefix);
}

} // namespace

PULID_FUNCTION(pulid_modifier_prefix)
{
    const ModifierPrefix prefix = unpack_modifier(PG_GETARG_INT32(0));
    if (!prefix.known)
        PG_RETURN_NULL();
    return text_datum(prefix.prefix());
}

PULID_FUNCTION(pulid_check_prefixes)
{
    InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
    if (Node *condition = tree_argument(fcinfo, 0); condition != nullptr)
        add_demanded_prefixes(condition, PG_GETARG_INT16(1),
                              reinterpret_cast<ReturnSetInfo *>(fcinfo->resultinfo));
    return 0;
}

PULID_FUNCTION(pulid_default_prefix)
{
    Node *expression = tree_argument(fcinfo, 0);
    std::string_view prefix;
    if (expression == nullptr || !default_prefix(expression, prefix))
        PG_RETURN_NULL();
    return text_datum(prefix);
}
