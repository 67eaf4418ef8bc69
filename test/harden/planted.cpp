// One error for each instrument of scripts/harden to find, so that its silence means something.

#include "pg/server.hpp"

extern "C" {
PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(planted);
}

namespace {

// The compiler must not see through what follows.
volatile int one = 1;

int beyond_the_stack()
{
    char bytes[16] = {};
    char *volatile first = bytes; // hides the array from UBSan, which would find this first
    return first[15 + one];
}

int shifted_too_far() { return one << (31 + one); }

int beyond_the_chunk()
{
    const auto *bytes = static_cast<volatile char *>(palloc(16));
    return bytes[15 + one];
}

int asserted()
{
    Assert(one == 2);
    return 0;
}

} // namespace

extern "C" PGDLLEXPORT Datum planted(PG_FUNCTION_ARGS)
{
    const char *error = text_to_cstring(PG_GETARG_TEXT_PP(0));
    if (std::strcmp(error, "address") == 0)
        PG_RETURN_INT32(beyond_the_stack());
    if (std::strcmp(error, "undefined") == 0)
        PG_RETURN_INT32(shifted_too_far());
    if (std::strcmp(error, "valgrind") == 0)
        PG_RETURN_INT32(beyond_the_chunk());
    PG_RETURN_INT32(asserted());
}
