// The one word of shared memory that the processes of a server have in common.
//
// From PostgreSQL 17 on it is made when a process first asks for it, whether the library was
// preloaded or not. Before, shared memory can only be had while the server starts, so the library
// has to stand in shared_preload_libraries.
//
// However the server went down, the word begins anew with it.
#pragma once

#include "pg/server.hpp"

namespace pulid {

// To be called as the library is loaded. Has nothing to do, and never fails, when that is too late.
void reserve_shared_state();

// Raises 55000 if the server has no such word. What it refers to is there until the process ends.
pg_atomic_uint64 &shared_state();

} // namespace pulid
