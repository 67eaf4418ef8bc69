// The ways to shared memory that shared_state.hpp tells apart.

#include "pg/shared_state.hpp"

#include "core/cluster_sequence.hpp"
#include "pg/report.hpp"

namespace pulid {

namespace {

// Known to the whole server, and for as long as it runs: a later version of this library that needs
// more than this one word needs another name.
constexpr char name[] = "prefixed_ulid";

pg_atomic_uint64 *state;

void initialize(void *memory)
{
    pg_atomic_init_u64(static_cast<pg_atomic_uint64 *>(memory), first_state);
}

#ifdef PULID_SHARED_MEMORY_ON_DEMAND

void attach() { state = named_segment<initialize, pg_atomic_uint64>(name); }

#else

shmem_request_hook_type earlier_request;
shmem_startup_hook_type earlier_startup;

void request()
{
    if (earlier_request != nullptr)
        earlier_request();
    RequestAddinShmemSpace(sizeof(pg_atomic_uint64));
}

// Again after a crash, when the postmaster makes its shared memory anew.
void startup()
{
    if (earlier_startup != nullptr)
        earlier_startup();
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    bool found;
    void *memory = ShmemInitStruct(name, sizeof(pg_atomic_uint64), &found);
    if (!found)
        initialize(memory);
    state = static_cast<pg_atomic_uint64 *>(memory);
    LWLockRelease(AddinShmemInitLock);
}

// Backends inherit the address from the postmaster.
void attach() { report_no_shared_memory(); }

#endif

} // namespace

void reserve_shared_state()
{
#ifndef PULID_SHARED_MEMORY_ON_DEMAND
    if (!process_shared_preload_libraries_in_progress)
        return;
    earlier_request = shmem_request_hook;
    shmem_request_hook = request;
    earlier_startup = shmem_startup_hook;
    shmem_startup_hook = startup;
#endif
}

pg_atomic_uint64 &shared_state()
{
    if (unlikely(state == nullptr))
        attach();
    return *state;
}

} // namespace pulid
