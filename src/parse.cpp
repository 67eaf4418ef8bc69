// Functions on text: CHECK helpers, parsing that raises, that returns NULL, that forgives, that
// searches.

#include "core/extract.hpp"
#include "core/tidy.hpp"
#include "pg/datum.hpp"

using namespace pulid;

namespace {

// Whether a text is an id, and of the prefix if one is given. Never raises: a malformed prefix has
// no ids.
template <Case letters> bool is_id(std::string_view written)
{
    Id id;
    return parse<letters>(written, id);
}

template <Case letters> bool is_id(std::string_view written, std::string_view prefix)
{
    Id id;
    return parse<letters>(written, id) && id.view().prefix() == prefix;
}

Id parse_or_report(std::string_view written)
{
    Id id;
    if (!parse<Case::fold>(written, id))
        report_malformed(written, ERRCODE_INVALID_TEXT_REPRESENTATION, nullptr);
    return id;
}

} // namespace

PULID_FUNCTION(pulid_is_canonical) { PG_RETURN_BOOL(is_id<Case::exact>(text_argument(fcinfo, 0))); }

PULID_FUNCTION(pulid_is_canonical_with_prefix)
{
    PG_RETURN_BOOL(is_id<Case::exact>(text_argument(fcinfo, 0), text_argument(fcinfo, 1)));
}

PULID_FUNCTION(pulid_is_valid) { PG_RETURN_BOOL(is_id<Case::fold>(text_argument(fcinfo, 0))); }

PULID_FUNCTION(pulid_is_valid_with_prefix)
{
    PG_RETURN_BOOL(is_id<Case::fold>(text_argument(fcinfo, 0), text_argument(fcinfo, 1)));
}

PULID_FUNCTION(pulid_parse) { return datum_from_id(parse_or_report(text_argument(fcinfo, 0))); }

PULID_FUNCTION(pulid_parse_with_prefix)
{
    const std::string_view prefix = prefix_argument(fcinfo, 1);
    const Id id = parse_or_report(text_argument(fcinfo, 0));
    if (id.view().prefix() != prefix)
        report_wrong_prefix(id, prefix, InvalidOid, nullptr);
    return datum_from_id(id);
}

PULID_FUNCTION(pulid_try_parse)
{
    Id id;
    if (!parse<Case::fold>(text_argument(fcinfo, 0), id))
        PG_RETURN_NULL();
    return datum_from_id(id);
}

PULID_FUNCTION(pulid_try_parse_with_prefix)
{
    const std::string_view prefix = prefix_argument(fcinfo, 1);
    Id id;
    if (!parse<Case::fold>(text_argument(fcinfo, 0), id) || id.view().prefix() != prefix)
        PG_RETURN_NULL();
    return datum_from_id(id);
}

PULID_FUNCTION(pulid_problem)
{
    const std::string_view prefix = prefix_argument(fcinfo, 1);
    const char *problem = problem_of(text_argument(fcinfo, 0), prefix);
    if (problem == nullptr)
        PG_RETURN_NULL();
    return text_datum(problem);
}

PULID_FUNCTION(pulid_tidy)
{
    Id id;
    if (!tidy(text_argument(fcinfo, 0), id))
        PG_RETURN_NULL();
    return datum_from_id(id);
}

PULID_FUNCTION(pulid_tidy_with_prefix)
{
    const std::string_view prefix = prefix_argument(fcinfo, 1);
    Id id;
    if (!tidy_with_prefix(text_argument(fcinfo, 0), prefix, id))
        PG_RETURN_NULL();
    return datum_from_id(id);
}

PULID_FUNCTION(pulid_extract)
{
    // Not get_fn_expr_rettype: a call through the fast path has no expression.
    const Oid element_type = get_element_type(get_func_rettype(fcinfo->flinfo->fn_oid));
    ArrayBuildState *found = initArrayResult(element_type, CurrentMemoryContext, false);
    Extractor extractor(text_argument(fcinfo, 0));
    for (Id id; extractor.next(id);) {
        CHECK_FOR_INTERRUPTS();
        found =
            accumArrayResult(found, datum_from_id(id), false, element_type, CurrentMemoryContext);
    }
    return makeArrayResult(found, CurrentMemoryContext);
}
