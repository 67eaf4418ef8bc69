// The words and SQLSTATEs of report.hpp. Everything here allocates and ends in ereport.

#include "pg/report.hpp"

#include "core/modifier.hpp"
#include "core/text.hpp"
#include "pg/datum.hpp"

namespace pulid {

namespace {

// More than the longest id, so that a valid one is always shown whole.
constexpr std::size_t shown_bytes = 100;

// Printable ASCII as it is, any other byte as \xHH: nobody sees the difference between a hyphen and
// a dash, and a byte that the client's encoding lacks would replace our error by another.
char *printable(std::string_view written)
{
    StringInfoData output;
    initStringInfo(&output);
    const std::size_t shown = Min(written.size(), shown_bytes);
    for (std::size_t i = 0; i < shown; i++) {
        const auto byte = static_cast<unsigned char>(written[i]);
        if (byte >= ' ' && byte <= '~')
            appendStringInfoChar(&output, written[i]);
        else
            appendStringInfo(&output, "\\x%02x", byte);
    }
    if (shown < written.size())
        appendStringInfoString(&output, "...");
    return output.data;
}

// The character that begins at a position, whole even if it has several bytes.
char *printable_character(std::string_view written, std::size_t position)
{
    const char *character = written.data() + position;
    const int length = pg_encoding_mblen(GetDatabaseEncoding(), character);
    return printable({character, Min(static_cast<std::size_t>(length), written.size() - position)});
}

char *detail_of(std::string_view written, TextProblem problem)
{
    switch (problem.error) {
    case TextError::none:
        break;
    case TextError::empty:
        return pstrdup("The text is empty.");
    case TextError::body_length:
        return psprintf("Expected a body of %zu characters, found %zu.", body_characters,
                        problem.number);
    case TextError::body_character:
        return psprintf("Character \"%s\" at position %zu is not one of 0-9, a-h, j, k, m, n, p-t, "
                        "v-z.",
                        printable_character(written, problem.number), problem.number + 1);
    case TextError::body_overflow:
        return psprintf("Character \"%s\" at position %zu overflows 128 bits: a body begins with 0 "
                        "to 7.",
                        printable_character(written, problem.number), problem.number + 1);
    case TextError::prefix_empty:
        return pstrdup("The prefix before the underscore is empty.");
    case TextError::prefix_length:
        return psprintf("The prefix has %zu characters, but %zu are the limit.", problem.number,
                        max_prefix_bytes);
    case TextError::prefix_character:
        return psprintf("Character \"%s\" at position %zu is not allowed in a prefix, which has "
                        "letters a-z and underscores.",
                        printable_character(written, problem.number), problem.number + 1);
    case TextError::prefix_edge:
        return psprintf("The prefix must begin and end with a letter, but has an underscore at "
                        "position %zu.",
                        problem.number + 1);
    }
    pg_unreachable();
}

// 'prefix "prd"', or what stands for the empty one.
char *named(std::string_view prefix, const char *empty)
{
    return prefix.empty() ? pstrdup(empty) : psprintf("prefix \"%s\"", printable(prefix));
}

char *wrong_prefix(IdView id, std::string_view required)
{
    return psprintf(_("id \"%s\" has %s, but %s is required"), cstring_from_id(id),
                    named(id.prefix(), "no prefix"), named(required, "a bare ULID"));
}

// A caller of pulid_in may have made the OID up, and errdatatype would fail on it.
bool known_type(Oid type)
{
    return OidIsValid(type) && SearchSysCacheExists1(TYPEOID, ObjectIdGetDatum(type));
}

} // namespace

char *problem_of(std::string_view written, std::string_view required)
{
    Id id;
    if (!parse<Case::fold>(written, id))
        return detail_of(written, find_error(written));
    return id.view().prefix() == required ? nullptr : wrong_prefix(id, required);
}

void report_malformed(std::string_view written, int sqlstate, Node *context)
{
    errsave(context,
            (errcode(sqlstate),
             errmsg("invalid input syntax for type %s: \"%s\"", "pulid", printable(written)),
             errdetail_internal("%s", detail_of(written, find_error(written)))));
}

void report_malformed_bound(std::string_view written, Node *context)
{
    errsave(context, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
                      errmsg("invalid input syntax for type %s: \"%s\"", "pulid_bound",
                             printable(written))));
}

void report_wrong_prefix(IdView id, std::string_view required, Oid type, Node *context)
{
    errsave(context,
            (errcode(ERRCODE_CHECK_VIOLATION), errmsg_internal("%s", wrong_prefix(id, required)),
             known_type(type) ? errdatatype(type) : 0));
}

void report_invalid_prefix(std::string_view prefix)
{
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
             errmsg("invalid prefix: \"%s\"", printable(prefix)),
             errdetail_internal("%s", detail_of(prefix, find_prefix_error(prefix, Case::exact))),
             errhint("A prefix such as \"prd\" has 1 to %zu lower-case letters and underscores and "
                     "begins and ends with a letter.",
                     max_prefix_bytes)));
    pg_unreachable();
}

void report_prefix_too_long_for_modifier(std::string_view prefix)
{
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("prefix \"%s\" is too long for a type modifier", printable(prefix)),
                    errdetail("The prefix has %zu characters, but a modifier holds at most %zu.",
                              prefix.size(), max_modifier_prefix_bytes),
                    errhint("Use type pulid with a CHECK constraint such as "
                            "pulid_has_prefix(id, '%s'), on the column or in a domain.",
                            printable(prefix))));
    pg_unreachable();
}

void report_modifier_count()
{
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("invalid type modifier for type pulid"),
                    errdetail("The modifier is one prefix, or '' for bare ULIDs."),
                    errhint("Write pulid('prd').")));
    pg_unreachable();
}

void report_reserved_modifier(int32 modifier)
{
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("type modifier %d of type pulid stands for no prefix", modifier)));
    pg_unreachable();
}

void report_invalid_digit_prefix(std::string_view prefix)
{
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("invalid prefix of a digit id: \"%s\"", printable(prefix)),
                    errhint("A prefix such as \"ACC\" has three upper-case letters A-Z.")));
    pg_unreachable();
}

void report_invalid_digit_count(int32 digits)
{
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("invalid number of digits: %d", digits),
                    errhint("A digit id has 4, 8, 12 or another multiple of 4 digits, up to 36.")));
    pg_unreachable();
}

void report_negative_rows(int64 rows)
{
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("invalid number of rows: %lld", static_cast<long long>(rows)),
                    errhint("Say how many rows the table is expected to have, 0 or more.")));
    pg_unreachable();
}

void report_instant_out_of_range()
{
    ereport(ERROR, (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
                    errmsg("timestamp out of range for type pulid"),
                    errdetail("An id holds instants from 1970-01-01 00:00:00+00 to 10889-08-02 "
                              "05:31:50.655+00.")));
    pg_unreachable();
}

void report_no_shared_memory()
{
    ereport(ERROR,
            (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
             errmsg("pulid_generate_monotonic needs shared memory, which this server has not "
                    "reserved for it"),
             errdetail("Before PostgreSQL 17, shared memory is reserved while the server starts."),
             errhint("Add prefixed_ulid to shared_preload_libraries and restart the server.")));
    pg_unreachable();
}

void report_no_randomness()
{
    ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("could not generate random values")));
    pg_unreachable();
}

} // namespace pulid
