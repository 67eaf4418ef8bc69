// Generators whose state belongs to the process: the last tick of each kind of body, only ever read
// or changed here. The one whose state the whole server shares is in generate_monotonic.cpp.

#include "core/sequence.hpp"
#include "pg/clock.hpp"
#include "pg/datum.hpp"
#include "pg/random.hpp"

using namespace pulid;

namespace {

Tail draw_tail() { return {draw<1>(), draw<8>()}; }

Ulid draw_ulid() { return {draw<8>(), draw<8>()}; }

template <unsigned tail_bits> void move_on(Sequence<tail_bits> &sequence)
{
    const std::uint64_t now = clock_tick();
    if (now > sequence.tick() || !sequence.advance(step_from(draw<5>())))
        sequence.start(Max(now, sequence.tick() + 1), draw_tail());
}

Sequence<ulid_tail_bits> ulid_sequence;
Sequence<uuid_v7_tail_bits> uuid_v7_sequence;

Datum next_ulid(std::string_view prefix)
{
    move_on(ulid_sequence);
    return datum_from_id(Id(prefix, ulid_from(ulid_sequence.tick(), ulid_sequence.tail())));
}

} // namespace

PULID_FUNCTION(pulid_generate) { return next_ulid(prefix_argument(fcinfo, 0)); }

PULID_FUNCTION(pulid_generate_bare)
{
    (void)fcinfo;
    return next_ulid("");
}

PULID_FUNCTION(pulid_generate_at)
{
    const std::string_view prefix = prefix_argument(fcinfo, 0);
    const TimestampTz created_at = PG_GETARG_TIMESTAMPTZ(1);
    if (created_at < unix_epoch || created_at > last_instant)
        report_instant_out_of_range();
    const std::uint64_t tick = tick_of_microseconds(unix_microseconds(created_at));
    return datum_from_id(Id(prefix, ulid_from(tick, draw_tail())));
}

PULID_FUNCTION(pulid_generate_v7)
{
    const std::string_view prefix = prefix_argument(fcinfo, 0);
    move_on(uuid_v7_sequence);
    return datum_from_id(
        Id(prefix, uuid_v7_from(uuid_v7_sequence.tick(), uuid_v7_sequence.tail())));
}

PULID_FUNCTION(pulid_generate_v4)
{
    const std::string_view prefix = prefix_argument(fcinfo, 0);
    return datum_from_id(Id(prefix, uuid_v4_from(draw_ulid())));
}
