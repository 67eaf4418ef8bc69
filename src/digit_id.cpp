// Digit ids such as ACC-4821-0937, which SQL keeps as text.

#include "core/digit_id.hpp"
#include "pg/datum.hpp"
#include "pg/random.hpp"

using namespace pulid;

namespace {

// Raises 22023 for what is no prefix of a digit id.
std::string_view digit_prefix_argument(FunctionCallInfo fcinfo, int number)
{
    const std::string_view prefix = text_argument(fcinfo, number);
    if (!is_digit_prefix(prefix))
        report_invalid_digit_prefix(prefix);
    return prefix;
}

} // namespace

PULID_FUNCTION(digit_id_generate)
{
    DigitId id(digit_prefix_argument(fcinfo, 0));
    const int32 digits = PG_GETARG_INT32(1);
    if (!is_digit_count(digits))
        report_invalid_digit_count(digits);
    while (id.digits() < digits)
        if (unsigned group = 0; group_from(draw<2>(), group))
            id.append(group);
    return text_datum(id.view());
}

PULID_FUNCTION(digit_id_is_canonical)
{
    PG_RETURN_BOOL(
        is_digit_id(text_argument(fcinfo, 0), text_argument(fcinfo, 1), PG_GETARG_INT32(2)));
}

PULID_FUNCTION(digit_id_tidy)
{
    DigitId id("AAA");
    if (!tidy_digit_id(text_argument(fcinfo, 0), id))
        PG_RETURN_NULL();
    return text_datum(id.view());
}

PULID_FUNCTION(digit_id_tidy_with_prefix)
{
    const std::string_view prefix = digit_prefix_argument(fcinfo, 1);
    DigitId id(prefix);
    if (!tidy_digit_id(text_argument(fcinfo, 0), id) || id.prefix() != prefix)
        PG_RETURN_NULL();
    return text_datum(id.view());
}

PULID_FUNCTION(digit_id_digits_for)
{
    const int64 expected_rows = PG_GETARG_INT64(0);
    if (expected_rows < 0)
        report_negative_rows(expected_rows);
    PG_RETURN_INT32(digits_for(expected_rows));
}
