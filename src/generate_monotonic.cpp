// The generator whose ids increase over all sessions of the server.

#include "core/cluster_sequence.hpp"
#include "pg/clock.hpp"
#include "pg/datum.hpp"
#include "pg/random.hpp"
#include "pg/shared_state.hpp"

using namespace pulid;

namespace {

// Larger than what any call returned that ended before this one began: the state was at least that
// by then, and it only grows. No lock: whoever loses the race tries again from what the winner
// left.
std::uint64_t next_word()
{
    pg_atomic_uint64 &state = shared_state();
    const std::uint64_t now = clock_milliseconds();
    std::uint64_t seen = pg_atomic_read_u64(&state);
    for (;;) {
        const std::uint64_t next = next_state(seen, now);
        if (next == 0)
            report_instant_out_of_range();
        if (pg_atomic_compare_exchange_u64(&state, &seen, next))
            return next;
    }
}

} // namespace

PULID_FUNCTION(pulid_generate_monotonic)
{
    const std::string_view prefix = prefix_argument(fcinfo, 0);
    return datum_from_id(Id(prefix, {next_word(), draw<8>()}));
}
