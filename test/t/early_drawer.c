/*
 * A module for shared_preload_libraries that makes the postmaster generate an id, so that every
 * process of the server inherits a pool of random bytes that is in use.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	PGFunction	generate = (PGFunction)
		load_external_function("$libdir/prefixed_ulid", "pulid_generate_v4", true, NULL);

	(void) DirectFunctionCall1(generate, CStringGetTextDatum("prd"));
	elog(LOG, "the postmaster has drawn");
}
