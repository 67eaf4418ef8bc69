// Sort support: 64-bit keys in place of the ids (core/sort_key.hpp), given up where they tell too
// little apart. On a 32-bit machine a key keeps its upper half.

#include "core/sort_key.hpp"
#include "pg/datum.hpp"

using namespace pulid;

namespace {

struct AbbreviationState {
    bool estimating;
    int64 rows;
    int64 next_estimate;
    hyperLogLogState distinct_keys;
    PrefixLabels labels;
};

// Below this the estimate means little, as in core's uuid.
constexpr int rows_before_estimate = 10000;
// So many different keys pay, however many rows come.
constexpr double enough_distinct_keys = 100000.0;
// Fewer than one different key for so many rows, and comparing keys first is lost time.
constexpr double rows_per_distinct_key = 2000.0;

int compare_full(Datum left, Datum right, SortSupport)
{
    return compare(id_from_datum(left), id_from_datum(right));
}

Datum abbreviate(Datum original, SortSupport support)
{
    auto *state = static_cast<AbbreviationState *>(support->ssup_extra);
    const std::uint64_t key = state->labels.sort_key(id_from_datum(original));
    state->rows++;
    if (state->estimating) {
        const auto folded = static_cast<uint32>(key ^ (key >> 32));
        addHyperLogLog(&state->distinct_keys, DatumGetUInt32(hash_uint32(folded)));
    }
    return static_cast<Datum>(sizeof(Datum) == 8 ? key : key >> 32);
}

bool abort_abbreviation(int rows, SortSupport support)
{
    auto *state = static_cast<AbbreviationState *>(support->ssup_extra);
    if (rows < state->next_estimate || state->rows < rows_before_estimate || !state->estimating)
        return false;
    // Callers ask when the rows have doubled, but PostgreSQL 15's GiST build asks at every row.
    state->next_estimate = int64{2} * rows;
    const double distinct = estimateHyperLogLog(&state->distinct_keys);
    if (distinct > enough_distinct_keys) {
        state->estimating = false;
        return false;
    }
    return distinct < static_cast<double>(state->rows) / rows_per_distinct_key + 0.5;
}

} // namespace

PULID_FUNCTION(pulid_sortsupport)
{
    constexpr uint8 register_width = 10; // 1 KB of registers, as core's types have it
    auto *support = reinterpret_cast<SortSupport>(PG_GETARG_POINTER(0));
    support->comparator = compare_full;
    if (support->abbreviate) {
        auto *state = static_cast<AbbreviationState *>(
            MemoryContextAlloc(support->ssup_cxt, sizeof(AbbreviationState)));
        *state = {};
        state->estimating = true;
        state->next_estimate = rows_before_estimate;
        MemoryContext caller = MemoryContextSwitchTo(support->ssup_cxt);
        initHyperLogLog(&state->distinct_keys, register_width);
        MemoryContextSwitchTo(caller);
        support->ssup_extra = state;
        support->comparator = ssup_datum_unsigned_cmp;
        support->abbrev_converter = abbreviate;
        support->abbrev_abort = abort_abbreviation;
        support->abbrev_full_comparator = compare_full;
    }
    PG_RETURN_VOID();
}
