// ANALYZE for columns of ids: the usual statistics, and the share of each prefix
// (pg/statistics.hpp).

#include "core/range.hpp"
#include "pg/datum.hpp"
#include "pg/statistics.hpp"

using namespace pulid;

namespace {

// More prefixes in one column are rare ones, and left out.
constexpr std::size_t max_prefixes = 100;

struct UsualAnalysis {
    AnalyzeAttrComputeStatsFunc compute_stats;
    void *extra_data;
};

struct PrefixCount {
    char prefix[max_prefix_bytes + 1]; // the key, terminated
    int64 rows;
    Ulid first;
    Ulid last;
};

int by_rows_descending(const void *left, const void *right)
{
    const auto *left_count = static_cast<const PrefixCount *>(left);
    const auto *right_count = static_cast<const PrefixCount *>(right);
    if (left_count->rows != right_count->rows)
        return left_count->rows > right_count->rows ? -1 : 1;
    return std::strcmp(left_count->prefix, right_count->prefix); // so that a rerun gives the same
}

HTAB *count_prefixes(VacAttrStatsP stats, AnalyzeAttrFetchFunc fetch, int sample_rows)
{
    HASHCTL control{};
    control.keysize = sizeof(PrefixCount::prefix);
    control.entrysize = sizeof(PrefixCount);
    control.hcxt = CurrentMemoryContext;
    HTAB *counts =
        hash_create("prefixes of ids", 64, &control, HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
    for (int row = 0; row < sample_rows; row++) {
        CHECK_FOR_INTERRUPTS();
        bool is_null = false;
        const Datum value = fetch(stats, row, &is_null);
        if (is_null)
            continue;
        char key[max_prefix_bytes + 1] = {};
        const IdView id = id_from_datum(value);
        std::memcpy(key, id.bytes, id.prefix().size());
        bool found = false;
        auto *count = static_cast<PrefixCount *>(hash_search(counts, key, HASH_ENTER, &found));
        const Ulid body = id.body();
        count->rows = found ? count->rows + 1 : 1;
        count->first = found ? Min(count->first, body) : body;
        count->last = found ? Max(count->last, body) : body;
    }
    return counts;
}

void store_prefixes(VacAttrStatsP stats, int slot, HTAB *counts, int sample_rows)
{
    const auto found = static_cast<std::size_t>(hash_get_num_entries(counts));
    auto *sorted = static_cast<PrefixCount *>(palloc(sizeof(PrefixCount) * found));
    HASH_SEQ_STATUS scan;
    hash_seq_init(&scan, counts);
    for (std::size_t i = 0; i < found; i++)
        sorted[i] = *static_cast<PrefixCount *>(hash_seq_search(&scan));
    hash_seq_term(&scan);
    qsort(sorted, found, sizeof(PrefixCount), by_rows_descending);

    // What goes into pg_statistic must outlive us.
    MemoryContext caller = MemoryContextSwitchTo(stats->anl_context);
    const std::size_t kept = Min(found, max_prefixes);
    auto *prefixes = static_cast<Datum *>(palloc(sizeof(Datum) * kept));
    auto *numbers = static_cast<float4 *>(palloc(sizeof(float4) * kept * numbers_of_prefix));
    for (std::size_t i = 0; i < kept; i++) {
        float4 *number = numbers + i * numbers_of_prefix;
        prefixes[i] = CStringGetTextDatum(sorted[i].prefix);
        number[share_of_rows] =
            static_cast<float4>(sorted[i].rows) / static_cast<float4>(sample_rows);
        number[first_position] = static_cast<float4>(position_of_body(sorted[i].first));
        number[last_position] = static_cast<float4>(position_of_body(sorted[i].last));
    }
    MemoryContextSwitchTo(caller);

    stats->stakind[slot] = prefix_statistics_kind;
    stats->staop[slot] = InvalidOid;
    stats->stacoll[slot] = DEFAULT_COLLATION_OID;
    stats->stanumbers[slot] = numbers;
    stats->numnumbers[slot] = static_cast<int>(kept * numbers_of_prefix);
    stats->stavalues[slot] = prefixes;
    stats->numvalues[slot] = static_cast<int>(kept);
    stats->statypid[slot] = TEXTOID;
    stats->statyplen[slot] = -1;
    stats->statypbyval[slot] = false;
    stats->statypalign[slot] = TYPALIGN_INT;
}

void compute_statistics(VacAttrStatsP stats, AnalyzeAttrFetchFunc fetch, int sample_rows,
                        double total_rows)
{
    const auto *usual = static_cast<UsualAnalysis *>(stats->extra_data);
    stats->extra_data = usual->extra_data;
    usual->compute_stats(stats, fetch, sample_rows, total_rows);

    int slot = 0;
    while (slot < STATISTIC_NUM_SLOTS && stats->stakind[slot] != 0)
        slot++;
    HTAB *counts = count_prefixes(stats, fetch, sample_rows);
    if (slot < STATISTIC_NUM_SLOTS && hash_get_num_entries(counts) > 0)
        store_prefixes(stats, slot, counts, sample_rows);
    hash_destroy(counts);
}

} // namespace

PULID_FUNCTION(pulid_typanalyze)
{
    auto *stats = reinterpret_cast<VacAttrStats *>(PG_GETARG_POINTER(0));
    if (!std_typanalyze(stats))
        PG_RETURN_BOOL(false);
    auto *usual = static_cast<UsualAnalysis *>(palloc(sizeof(UsualAnalysis)));
    *usual = {stats->compute_stats, stats->extra_data};
    stats->extra_data = usual;
    stats->compute_stats = compute_statistics;
    PG_RETURN_BOOL(true);
}
