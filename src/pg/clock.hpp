// The wall clock, as the generators read it.
#pragma once

#include "core/sequence.hpp"
#include "pg/report.hpp"

#include <ctime>

namespace pulid {

// Now. Raises 22008 if the clock shows an instant that no id can hold.
inline std::uint64_t clock_tick()
{
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    constexpr auto last_second = static_cast<std::int64_t>(last_millisecond / 1000);
    if (now.tv_sec < 0 || now.tv_sec >= last_second)
        report_instant_out_of_range();
    return tick_of_nanoseconds(static_cast<std::uint64_t>(now.tv_sec),
                               static_cast<std::uint64_t>(now.tv_nsec));
}

inline std::uint64_t clock_milliseconds() { return clock_tick() / ticks_per_millisecond; }

} // namespace pulid
