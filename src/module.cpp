// What makes this library a PostgreSQL module.

#include "pg/server.hpp"
#include "pg/shared_state.hpp"

extern "C" {
PULID_MODULE_MAGIC(PREFIXED_ULID_VERSION);
PGDLLEXPORT void _PG_init(void); // 16 and later declare it themselves
}

// LOAD always succeeds; what only a preloaded library can do is left undone.
void _PG_init(void) { pulid::reserve_shared_state(); }
