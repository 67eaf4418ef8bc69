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

int compare_ids(FunctionCallInfo fcinfo)
{
    return compare(id_argument(fcinfo, 0), id_argument(fcinfo, 1));
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

// The text that an index is searched for, with the id that it is. It stays the same all the way
// down the tree, and comparing ids is faster than comparing an id with a text.
struct SearchKey {
    std::size_t text_size;
    char text[max_text_bytes];
    bool is_id;
    Id id;

    // Of at least eight bytes.
    bool is_of(std::string_view written) const
    {
        const auto same_word = [&](std::size_t at) {
            std::uint64_t left;
            std::uint64_t right;
            std::memcpy(&left, text + at, sizeof(left));
            std::memcpy(&right, written.data() + at, sizeof(right));
            return left == right;
        };
        if (written.size() != text_size || !same_word(text_size - 8))
            return false;
        for (std::size_t at = 0; at < text_size - 8; at += 8)
            if (!same_word(at))
                return false;
        return true;
    }
};

// One for the process, so that nothing is allocated: zeroes are the empty text, which is no id.
SearchKey search_key;

// The id that a text is, or NULL. Remembered from call to call, and checked to be the same text.
const Id *remembered_id(std::string_view written)
{
    if (written.size() < body_characters || written.size() > max_text_bytes)
        return nullptr;
    SearchKey &key = search_key;
    if (unlikely(!key.is_of(written))) {
        key.text_size = written.size();
        std::memcpy(key.text, written.data(), written.size());
        key.is_id = parse<Case::exact>(written, key.id);
    }
    return key.is_id ? &key.id : nullptr;
}

bool equal_ids(FunctionCallInfo fcinfo)
{
    return equal(id_argument(fcinfo, 0), id_argument(fcinfo, 1));
}

// The size, known without fetching a toasted text, decides most cases.
bool equal_id_text(FunctionCallInfo fcinfo, int id_number, int text_number)
{
    const Size size = toast_raw_datum_size(PG_GETARG_DATUM(text_number)) - VARHDRSZ;
    return size == id_argument(fcinfo, id_number).text_size() &&
           compare_id_with_text(fcinfo, id_number, text_number) == 0;
}

} // namespace

PULID_FUNCTION(pulid_eq) { PG_RETURN_BOOL(equal_ids(fcinfo)); }
PULID_FUNCTION(pulid_ne) { PG_RETURN_BOOL(!equal_ids(fcinfo)); }
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
    const ComparedText other(fcinfo, 1);
    const IdView id = id_argument(fcinfo, 0);
    const Id *key = remembered_id(other.view());
    const int result = key != nullptr ? compare(id, *key) : compare_with_text(id, other.view());
    other.release();
    PG_RETURN_INT32(result);
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
