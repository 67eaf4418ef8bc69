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

    const struct varlena *used() const { return used_; }
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

int compare_ids(FunctionCallInfo fcinfo)
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
// comparing ids is faster than comparing an id with a text. Both are kept with their headers.
struct SearchKey {
    std::size_t text_size;
    char text[VARHDRSZ + max_text_bytes];
    char id[VARHDRSZ_SHORT + max_stored_bytes];

    // The texts of ids are longer than a word.
    bool is_of(const char *written) const
    {
        // Two headers that begin alike are of one kind, and short ones are the same.
        if (*written != *text || (!VARATT_IS_1B(written) && VARSIZE_4B(written) != text_size))
            return false;
        std::uint64_t difference = difference_at(text_size - 8, written);
        for (std::size_t at = 0; at < text_size - 8; at += 8)
            difference |= difference_at(at, written);
        return difference == 0;
    }

    std::uint64_t difference_at(std::size_t at, const char *written) const
    {
        std::uint64_t left;
        std::uint64_t right;
        std::memcpy(&left, text + at, sizeof(left));
        std::memcpy(&right, written + at, sizeof(right));
        return left ^ right;
    }

    void assign(const struct varlena *written, IdView is)
    {
        text_size = VARSIZE_ANY(written);
        std::memcpy(text, written, text_size);
        SET_VARSIZE_SHORT(id, VARHDRSZ_SHORT + is.size);
        std::memcpy(VARDATA_SHORT(id), is.bytes, is.size);
    }
};

// One for the process, so that nothing is allocated. Zeroes are no text.
SearchKey search_key;

// Out of line, so that pulid_cmp_text() stays short.
[[gnu::noinline]] int compare_with_new_key(FunctionCallInfo fcinfo)
{
    const ComparedText other(fcinfo, 1);
    const IdView id = id_argument(fcinfo, 0);
    Id key;
    int result;
    if (parse<Case::exact>(other.view(), key)) {
        search_key.assign(other.used(), key);
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
    if (likely(search_key.is_of(DatumGetPointer(PG_GETARG_DATUM(1)))))
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
