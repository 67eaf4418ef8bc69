// The operators, between ids and between an id and a text, and what btree and hash need of them.
// Nothing here raises an error, whatever the values: that is what LEAKPROOF claims.

#include "pg/datum.hpp"

using namespace pulid;

namespace {

// As much of a text argument as can matter in a comparison with an id. A toasted one is fetched no
// further and given back, because an index calls this many times in one memory context.
class ComparedText {
  public:
    ComparedText(FunctionCallInfo fcinfo, int number)
        : argument_(reinterpret_cast<struct varlena *>(PG_GETARG_POINTER(number))), used_(argument_)
    {
        if (unlikely(VARATT_IS_COMPRESSED(argument_) || VARATT_IS_EXTERNAL(argument_)))
            used_ = pg_detoast_datum_slice(argument_, 0, max_text_bytes + 1);
    }

    std::string_view view() const { return {VARDATA_ANY(used_), VARSIZE_ANY_EXHDR(used_)}; }

    // Not a destructor: none may be pending while PostgreSQL can jump out of us.
    void release() const
    {
        if (used_ != argument_)
            pfree(used_);
    }

  private:
    struct varlena *argument_;
    struct varlena *used_;
};

// Out of line, so that compare_data() stays short.
[[gnu::noinline]] int compare_any_data(Datum left, Datum right)
{
    return compare(id_from_datum(left), id_from_datum(right));
}

// Nearly always both ids are as tables and indexes hold them, and equally long: then their first
// bytes, the headers, are the same.
[[gnu::always_inline]] inline int compare_data(Datum left_datum, Datum right_datum)
{
    const char *left = DatumGetPointer(left_datum);
    const char *right = DatumGetPointer(right_datum);
    if (likely(*left == *right && is_short(left)))
        return compare_equally_long(VARDATA_SHORT(left), VARDATA_SHORT(right),
                                    VARSIZE_SHORT(left) - VARHDRSZ_SHORT);
    return compare_any_data(left_datum, right_datum);
}

[[gnu::always_inline]] inline int compare_ids(FunctionCallInfo fcinfo)
{
    return compare_data(PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
}

int compare_id_with_text(FunctionCallInfo fcinfo, int id_number, int text_number)
{
    const ComparedText other(fcinfo, text_number);
    const int result = compare_with_text(id_argument(fcinfo, id_number), other.view());
    other.release();
    return result;
}

int compare_id_text(FunctionCallInfo fcinfo) { return compare_id_with_text(fcinfo, 0, 1); }
int compare_text_id(FunctionCallInfo fcinfo) { return -compare_id_with_text(fcinfo, 1, 0); }

// The id that an index is searched for by a text. It stays the same all the way down the tree, and
// comparing ids is faster than comparing an id with a text. The id is kept with its header.
struct SearchKey {
    std::size_t text_size;
    char text[max_text_bytes];
    char id[VARHDRSZ_SHORT + max_stored_bytes];

    // False for a toasted one.
    bool is_of(Datum written) const
    {
        const auto *stored = reinterpret_cast<const struct varlena *>(DatumGetPointer(written));
        if (VARATT_IS_COMPRESSED(stored) || VARATT_IS_EXTERNAL(stored) ||
            VARSIZE_ANY_EXHDR(stored) != text_size)
            return false;
        // There are at least 26 characters, and with a prefix of up to five at most 32.
        const char *other = VARDATA_ANY(stored);
        const std::uint64_t difference = difference_at(0, other) | difference_at(8, other) |
                                         difference_at(16, other) |
                                         difference_at(text_size - 8, other);
        return difference == 0 &&
               (text_size <= 32 || std::memcmp(text + 24, other + 24, text_size - 24) == 0);
    }

    std::uint64_t difference_at(std::size_t at, const char *other) const
    {
        std::uint64_t left;
        std::uint64_t right;
        std::memcpy(&left, text + at, sizeof(left));
        std::memcpy(&right, other + at, sizeof(right));
        return left ^ right;
    }

    void assign(std::string_view written, IdView is)
    {
        text_size = written.size();
        std::memcpy(text, written.data(), text_size);
        SET_VARSIZE_SHORT(id, VARHDRSZ_SHORT + is.size);
        std::memcpy(VARDATA_SHORT(id), is.bytes, is.size);
    }
};

// One for the process, so that nothing is allocated. It begins with a length that no text has.
SearchKey search_key = {~std::size_t{0}, {}, {}};

// Out of line, so that pulid_cmp_text() stays short.
[[gnu::noinline]] int compare_with_new_key(FunctionCallInfo fcinfo)
{
    const ComparedText other(fcinfo, 1);
    const IdView id = id_argument(fcinfo, 0);
    Id key;
    int result;
    if (parse<Case::exact>(other.view(), key)) {
        search_key.assign(other.view(), key);
        result = compare(id, key);
    } else {
        result = compare_with_text(id, other.view());
    }
    other.release();
    return result;
}

// The size, known without fetching a toasted text, decides most cases.
bool equal_id_text(FunctionCallInfo fcinfo, int id_number, int text_number)
{
    const Size size = toast_raw_datum_size(PG_GETARG_DATUM(text_number)) - VARHDRSZ;
    const IdView id = id_argument(fcinfo, id_number);
    if (size != id.text_size())
        return false;
    // An index search ends with this, for the text that it was for.
    if (search_key.is_of(PG_GETARG_DATUM(text_number)))
        return equal(id, id_from_datum(PointerGetDatum(search_key.id)));
    const ComparedText other(fcinfo, text_number);
    char printed[max_text_bytes];
    print(id, printed);
    const bool result = other.view() == std::string_view(printed, size);
    other.release();
    return result;
}

} // namespace

PULID_FUNCTION(pulid_eq) { PG_RETURN_BOOL(compare_ids(fcinfo) == 0); }
PULID_FUNCTION(pulid_ne) { PG_RETURN_BOOL(compare_ids(fcinfo) != 0); }
PULID_FUNCTION(pulid_lt) { PG_RETURN_BOOL(compare_ids(fcinfo) < 0); }
PULID_FUNCTION(pulid_le) { PG_RETURN_BOOL(compare_ids(fcinfo) <= 0); }
PULID_FUNCTION(pulid_ge) { PG_RETURN_BOOL(compare_ids(fcinfo) >= 0); }
PULID_FUNCTION(pulid_gt) { PG_RETURN_BOOL(compare_ids(fcinfo) > 0); }
PULID_FUNCTION(pulid_cmp) { PG_RETURN_INT32(compare_ids(fcinfo)); }

PULID_FUNCTION(pulid_eq_text) { PG_RETURN_BOOL(equal_id_text(fcinfo, 0, 1)); }
PULID_FUNCTION(pulid_ne_text) { PG_RETURN_BOOL(!equal_id_text(fcinfo, 0, 1)); }
PULID_FUNCTION(pulid_lt_text) { PG_RETURN_BOOL(compare_id_text(fcinfo) < 0); }
PULID_FUNCTION(pulid_le_text) { PG_RETURN_BOOL(compare_id_text(fcinfo) <= 0); }
PULID_FUNCTION(pulid_ge_text) { PG_RETURN_BOOL(compare_id_text(fcinfo) >= 0); }
PULID_FUNCTION(pulid_gt_text) { PG_RETURN_BOOL(compare_id_text(fcinfo) > 0); }

PULID_FUNCTION(pulid_cmp_text)
{
    const Datum id = PG_GETARG_DATUM(0);
    if (likely(search_key.is_of(PG_GETARG_DATUM(1))))
        PG_RETURN_INT32(compare_data(id, PointerGetDatum(search_key.id)));
    PG_RETURN_INT32(compare_with_new_key(fcinfo));
}

PULID_FUNCTION(text_eq_pulid) { PG_RETURN_BOOL(equal_id_text(fcinfo, 1, 0)); }
PULID_FUNCTION(text_ne_pulid) { PG_RETURN_BOOL(!equal_id_text(fcinfo, 1, 0)); }
PULID_FUNCTION(text_lt_pulid) { PG_RETURN_BOOL(compare_text_id(fcinfo) < 0); }
PULID_FUNCTION(text_le_pulid) { PG_RETURN_BOOL(compare_text_id(fcinfo) <= 0); }
PULID_FUNCTION(text_ge_pulid) { PG_RETURN_BOOL(compare_text_id(fcinfo) >= 0); }
PULID_FUNCTION(text_gt_pulid) { PG_RETURN_BOOL(compare_text_id(fcinfo) > 0); }
PULID_FUNCTION(text_cmp_pulid) { PG_RETURN_INT32(compare_text_id(fcinfo)); }

PULID_FUNCTION(pulid_smaller)
{
    return short_datum(PG_GETARG_DATUM(compare_ids(fcinfo) <= 0 ? 0 : 1));
}

PULID_FUNCTION(pulid_larger)
{
    return short_datum(PG_GETARG_DATUM(compare_ids(fcinfo) >= 0 ? 0 : 1));
}

PULID_FUNCTION(pulid_starts_with)
{
    const ComparedText beginning(fcinfo, 1);
    const bool result = starts_with(id_argument(fcinfo, 0), beginning.view());
    beginning.release();
    PG_RETURN_BOOL(result);
}
