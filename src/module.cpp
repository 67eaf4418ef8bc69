// What makes this library a PostgreSQL module. There is no _PG_init: LOAD has nothing to do.

#include "pg/server.hpp"

extern "C" {
PULID_MODULE_MAGIC(PREFIXED_ULID_VERSION);
}
