# prefixed_ulid is built with PGXS: make, make install, make installcheck [PG_CONFIG=...].
#
# The targets in SCRIPTED first install what they need, so they must work where there is no
# PostgreSQL yet. They only call scripts/ and keep away from PGXS (which has a `check` of its own).

SCRIPTED = demo check matrix packages dist bench clients lint unit fuzz doors coverage cross \
	harden print-%

EXTENSION = prefixed_ulid
MODULE_big = prefixed_ulid

# Explicit and sorted: a stray file must not end up in the library.
OBJS = \
	src/analyze.o \
	src/bound.o \
	src/brin.o \
	src/compare.o \
	src/convert.o \
	src/declaration.o \
	src/digit_id.o \
	src/generate.o \
	src/generate_monotonic.o \
	src/gist.o \
	src/hash.o \
	src/io.o \
	src/module.o \
	src/parse.o \
	src/pg/random.o \
	src/pg/report.o \
	src/pg/shared_state.o \
	src/planner.o \
	src/selectivity.o \
	src/sort.o \
	src/typmod.o

# The install script is these, one after the other.
SCRIPT = \
	sql/prefixed_ulid.sql \
	sql/digit_id.sql \
	sql/registry.sql \
	sql/lint.sql \
	sql/backfill.sql \
	sql/migration.sql \
	sql/migration_parts.sql \
	sql/migration_plan.sql

# Explicit as well, in the order in which they run. Tests of what came with PostgreSQL 16 or
# later stand in the second list. The last three are the files in examples/, by symbolic links.
REGRESS = \
	init \
	io \
	modifier \
	functions \
	operators \
	bare_ulid \
	public_id \
	typeid
REGRESS_SINCE_16 = \
	soft_errors

ifneq ($(filter $(SCRIPTED),$(MAKECMDGOALS)),)

.PHONY: $(filter-out print-%,$(MAKECMDGOALS))
.NOTPARALLEL:

# If make itself is killed, the script gets TERM and can clean up.
TETHER := $(if $(shell command -v setpriv),setpriv --pdeathsig TERM)

$(filter $(filter-out print-%,$(SCRIPTED)),$(MAKECMDGOALS)):
	@$(TETHER) scripts/$@

# The value of a variable, for the scripts.
print-%:
	@echo $($*)

# Other goals named beside these (make clean check) go to PGXS in a make of their own.
$(filter-out $(SCRIPTED),$(MAKECMDGOALS)):
	@$(MAKE) --no-print-directory $@

else

here := $(dir $(lastword $(MAKEFILE_LIST)))

EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" $(here)prefixed_ulid.control)
DATA := $(patsubst $(here)%,%,$(wildcard $(here)sql/prefixed_ulid--*--*.sql))
DATA_built = sql/prefixed_ulid--$(EXTVERSION).sql

# expected/ stands at the top, where pg_regress looks first on every major.
REGRESS_OPTS = --inputdir=$(srcdir)/test

# The tests are not all ASCII.
ENCODING = UTF8

# -isystem: the server's headers are not ours to warn about.
PG_CPPFLAGS = -I$(srcdir)/src -isystem $(includedir_server)

# gnu++20, not c++20: the server's headers use typeof. PGXS hands PG_CXXFLAGS to CXX only, so
# what clang needs for the bitcode too is kept apart and added below. Flags both compilers know.
LANGUAGE = -std=gnu++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics
WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wmissing-declarations \
	-Wimplicit-fallthrough -Wundef $(if $(WERROR),-Werror)
PG_CXXFLAGS = $(LANGUAGE) $(WARNINGS)

# The linker exports nothing but what this generated list names.
SHLIB_EXPORTS = exports.txt

EXTRA_CLEAN = build exports.txt exports.list $(OBJS:=.d) $(OBJS:.o=.bc.d)

ifndef PG_CONFIG
PG_CONFIG := $(shell $(here)scripts/find_pg_config)
endif
PGXS := $(and $(PG_CONFIG),$(shell $(PG_CONFIG) --pgxs 2>/dev/null))
ifeq ($(wildcard $(PGXS)),)
$(error no PostgreSQL to build for: install postgresql-server-dev-N, \
	or say PG_CONFIG=/path/to/pg_config)
endif
# PGXS links with the C driver; the C++ one adds the C++ runtime, should anything ask for it.
override COMPILER = $(CXX) $(CXXFLAGS)

include $(PGXS)

ifneq ($(filter 9.% 10 11 12 13 14,$(MAJORVERSION)),)
$(error prefixed_ulid needs PostgreSQL 15 or later; $(PG_CONFIG) is of PostgreSQL $(VERSION))
endif
ifneq ($(MAJORVERSION),15)
REGRESS += $(REGRESS_SINCE_16)
endif

override BITCODE_CXXFLAGS += $(LANGUAGE) $(WARNINGS)

# A changed header rebuilds what includes it, object and bitcode.
COMPILE.cc += -MMD -MP -MF $@.d
COMPILE.cxx.bc += -MMD -MP -MF $@.d
-include $(wildcard $(OBJS:=.d) $(OBJS:.o=.bc.d))

# So does another server: objects of two majors must never meet in one library.
$(OBJS) $(OBJS:.o=.bc): build/server Makefile
build/server: FORCE
	@$(MKDIR_P) build
	@echo '$(PG_CONFIG) $(VERSION)' | cmp -s - $@ || echo '$(PG_CONFIG) $(VERSION)' >$@
.PHONY: FORCE
FORCE:

# Only this file needs the version (for the magic block), so only it is rebuilt for a new one.
src/module.o src/module.bc: prefixed_ulid.control
src/module.o src/module.bc: override CPPFLAGS += -DPREFIXED_ULID_VERSION='"$(EXTVERSION)"'

$(DATA_built): $(SCRIPT)
	cat $^ >$@

# Read from the SQL, so that the two cannot drift. The deltas count: a library has to serve the
# scripts of older versions as well.
exports.txt: $(SCRIPT) $(DATA)
	{ awk "match(\$$0, /'MODULE_PATHNAME', *'[A-Za-z0-9_]+'/) { \
		split(substr(\$$0, RSTART, RLENGTH), part, \"'\"); \
		print part[4]; print \"pg_finfo_\" part[4] }" $^; \
	  echo Pg_magic_func; echo _PG_init; } | LC_ALL=C sort -u >$@

endif
