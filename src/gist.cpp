// GiST: what EXCLUDE constraints and, from PostgreSQL 18 on, WITHOUT OVERLAPS index ids with. A key
// is a span of ids (core/id_span.hpp) in a bytea; on leaf pages it is the id as it is, so there
// is nothing to compress, to decompress or to fetch, and btree's sort support sorts the keys.

#include <algorithm>

#include "core/id_span.hpp"
#include "pg/datum.hpp"

using namespace pulid;

static_assert(static_cast<int>(Comparison::equal) == RTEqualStrategyNumber &&
              static_cast<int>(Comparison::not_equal) == RTNotEqualStrategyNumber &&
              static_cast<int>(Comparison::less) == RTLessStrategyNumber &&
              static_cast<int>(Comparison::less_or_equal) == RTLessEqualStrategyNumber &&
              static_cast<int>(Comparison::greater) == RTGreaterStrategyNumber &&
              static_cast<int>(Comparison::greater_or_equal) == RTGreaterEqualStrategyNumber);

namespace {

template <typename T> T *pointer_argument(FunctionCallInfo fcinfo, int number)
{
    return reinterpret_cast<T *>(PG_GETARG_POINTER(number));
}

// Called for every entry of every page on the way. Never toasted: index tuples are not, below some
// 500 bytes.
pg_attribute_always_inline std::string_view stored_in(Datum key)
{
    return view_of(reinterpret_cast<const bytea *>(DatumGetPointer(key)));
}

pg_attribute_always_inline IdSpan span_of(const GISTENTRY &entry)
{
    return load_span(stored_in(entry.key));
}

bytea *key_of(const IdSpan &span)
{
    const Size size = span.stored_size() + VARHDRSZ;
    auto *key = static_cast<bytea *>(palloc(size));
    SET_VARSIZE(key, size);
    store_span(span, VARDATA(key));
    return key;
}

// The entries of one half of a split, and the span that holds them.
Datum take_half(const PageEntry *first, std::size_t count, std::size_t room, OffsetNumber *&numbers,
                int &size)
{
    // Room for all entries: in an index of several columns core moves one to the other half.
    numbers = static_cast<OffsetNumber *>(palloc(room * sizeof(OffsetNumber)));
    size = static_cast<int>(count);
    IdSpan span = first->span;
    for (std::size_t i = 0; i < count; i++) {
        numbers[i] = first[i].number;
        span = widened(span, first[i].span);
    }
    return PointerGetDatum(key_of(span));
}

} // namespace

PULID_FUNCTION(pulid_gist_consistent)
{
    const auto *entry = pointer_argument<GISTENTRY>(fcinfo, 0);
    const auto comparison = static_cast<Comparison>(PG_GETARG_UINT16(2));
    *pointer_argument<bool>(fcinfo, 4) = false; // nothing to recheck
    PG_RETURN_BOOL(can_match(span_of(*entry), comparison, id_argument(fcinfo, 1)));
}

PULID_FUNCTION(pulid_gist_union)
{
    const auto *entries = pointer_argument<GistEntryVector>(fcinfo, 0);
    IdSpan span = span_of(entries->vector[0]);
    for (int i = 1; i < entries->n; i++)
        span = widened(span, span_of(entries->vector[i]));
    bytea *key = key_of(span);
    *pointer_argument<int>(fcinfo, 1) = static_cast<int>(VARSIZE(key));
    PG_RETURN_BYTEA_P(key);
}

PULID_FUNCTION(pulid_gist_penalty)
{
    auto *penalty = pointer_argument<float>(fcinfo, 2);
    *penalty = growth(span_of(*pointer_argument<GISTENTRY>(fcinfo, 0)),
                      span_of(*pointer_argument<GISTENTRY>(fcinfo, 1)));
    PG_RETURN_POINTER(penalty);
}

// Called for the entries of one page and what did not fit; but a sorted build calls it for several
// full pages, where halves are what fills them best.
PULID_FUNCTION(pulid_gist_picksplit)
{
    const auto *entries = pointer_argument<GistEntryVector>(fcinfo, 0);
    auto *split = pointer_argument<GIST_SPLITVEC>(fcinfo, 1);
    const auto last = static_cast<OffsetNumber>(entries->n - 1);
    auto *sorted = static_cast<PageEntry *>(palloc(last * sizeof(PageEntry)));
    for (OffsetNumber i = FirstOffsetNumber; i <= last; i++)
        sorted[i - 1] = {span_of(entries->vector[i]), i};
    std::sort(sorted, sorted + last,
              [](const PageEntry &left, const PageEntry &right) { return left.span < right.span; });
    const bool one_page = last <= PageGetMaxOffsetNumber(entries->vector[last].page) + 1;
    const std::size_t on_left = split_position(sorted, last, one_page ? last : OffsetNumber{0});
    split->spl_ldatum = take_half(sorted, on_left, last, split->spl_left, split->spl_nleft);
    split->spl_rdatum =
        take_half(sorted + on_left, last - on_left, last, split->spl_right, split->spl_nright);
    PG_RETURN_POINTER(split);
}

PULID_FUNCTION(pulid_gist_same)
{
    auto *same = pointer_argument<bool>(fcinfo, 2);
    *same = stored_in(PG_GETARG_DATUM(0)) == stored_in(PG_GETARG_DATUM(1));
    PG_RETURN_POINTER(same);
}
