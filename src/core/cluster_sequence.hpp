// Bodies that strictly increase over all processes of a server, from one word that they share.
//
//     48 bits ms | 16-bit counter | 64 random bits
//     \_______ the state _______/
//
// The state is the largest word handed out so far; whoever needs an id replaces it by a larger one.
// Because the counter stands below the milliseconds, one that is full carries into them, and a
// clock that stands still or is set back only makes the counter go on.
#pragma once

#include "core/ulid.hpp"

namespace pulid {

// A server that has just started has handed out nothing.
inline constexpr std::uint64_t first_state = 0;

// max(state + 1, milliseconds << 16) for milliseconds up to last_millisecond; 0, which is no state
// that follows another, when the last word was handed out.
constexpr std::uint64_t next_state(std::uint64_t state, std::uint64_t milliseconds)
{
    const std::uint64_t clock = milliseconds << 16;
    return clock > state ? clock : state + 1;
}

} // namespace pulid
