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

// 17 lets a module make shared memory when it first needs some: a T, found by name, initialized by
// the process that comes first. 19 hands the callback an argument.
#if __has_include("storage/dsm_registry.h")
#define PULID_SHARED_MEMORY_ON_DEMAND
extern "C" {
#include "storage/dsm_registry.h"
}
template <void (*initialize)(void *), class T> T *named_segment(const char *name)
{
    bool found;
#if PG_VERSION_NUM >= 190000
    void *memory = GetNamedDSMSegment(
        name, sizeof(T), [](void *fresh, void *) { initialize(fresh); }, &found, nullptr);
#else
    void *memory = GetNamedDSMSegment(name, sizeof(T), initialize, &found);
#endif
    return static_cast<T *>(memory);
}
#endif

// 18 lets a module name its version.
#ifdef PG_MODULE_MAGIC_EXT
#define PULID_MODULE_MAGIC(module_version)                                                         \
    PG_MODULE_MAGIC_EXT(.name = "prefixed_ulid", .version = (module_version))
#else
#define PULID_MODULE_MAGIC(module_version) PG_MODULE_MAGIC
#endif
