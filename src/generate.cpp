// Generators. State belongs to the process: a pool of random bytes and the last tick of each kind
// of body. Both are only ever read or changed here.

#include "core/sequence.hpp"
#include "pg/datum.hpp"

#include <ctime>

using namespace pulid;

namespace {

// Random bytes ahead of need, because one system call for each id would cost more than the id. A
// process that inherits the pool by fork does not use it, or two would hand out the same bytes.
struct RandomPool {
    static constexpr std::size_t capacity = 4096;

    unsigned char bytes[capacity];
    std::size_t unread;
    int owner;
};

RandomPool pool;

void fill_pool()
{
    pool.unread = 0; // nothing may be read if the next line fails
    if (!pg_strong_random(pool.bytes, sizeof pool.bytes))
        report_no_randomness();
    pool.unread = sizeof pool.bytes;
    pool.owner = MyProcPid;
}

// A random number of so many bytes. They are wiped: what made one id is in memory no longer.
template <std::size_t size> std::uint64_t draw()
{
    static_assert(size <= sizeof(std::uint64_t));
    if (pool.unread < size || pool.owner != MyProcPid)
        fill_pool();
    pool.unread -= size;
    std::uint64_t number = 0;
    std::memcpy(&number, pool.bytes + pool.unread, size);
    std::memset(pool.bytes + pool.unread, 0, size);
    return number;
}

Tail draw_tail() { return {draw<1>(), draw<8>()}; }

Ulid draw_ulid() { return {draw<8>(), draw<8>()}; }

std::uint64_t clock_tick()
{
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    constexpr auto last_second = static_cast<std::int64_t>(last_millisecond / 1000);
    if (now.tv_sec < 0 || now.tv_sec >= last_second)
        report_instant_out_of_range();
    return tick_of_nanoseconds(static_cast<std::uint64_t>(now.tv_sec),
                               static_cast<std::uint64_t>(now.tv_nsec));
}

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
