// What differs between PostgreSQL majors, and nothing else. Included by server.hpp.
#pragma once

// 16 moved the varlena macros out of postgres.h and brought errors that a caller can catch without
// a subtransaction. Before, an input error is always raised.
#if __has_include("varatt.h")
extern "C" {
#include "varatt.h"
}
#endif

#if __has_include("nodes/miscnodes.h")
extern "C" {
#include "nodes/miscnodes.h"
}
#else
#define errsave(context, ...)                                                                      \
    do {                                                                                           \
        (void)(context);                                                                           \
        ereport(ERROR, __VA_ARGS__);                                                               \
    } while (0)
#endif

// 18 lets a module name its version.
#ifdef PG_MODULE_MAGIC_EXT
#define PULID_MODULE_MAGIC(module_version)                                                         \
    PG_MODULE_MAGIC_EXT(.name = "prefixed_ulid", .version = (module_version))
#else
#define PULID_MODULE_MAGIC(module_version) PG_MODULE_MAGIC
#endif
