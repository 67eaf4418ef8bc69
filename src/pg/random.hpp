// Random bytes from the operating system, drawn from a pool of this process.
#pragma once

#include "pg/server.hpp"

namespace pulid {

// Bytes ahead of need, because one system call for each id would cost more than the id. A process
// that inherits the pool by fork does not use it, or two would hand out the same bytes.
struct RandomPool {
    static constexpr std::size_t capacity = 4096;

    unsigned char bytes[capacity];
    std::size_t unread;
    int owner;
};

// Only for draw() below.
extern RandomPool random_pool;

// Raises XX000 if the operating system has no random bytes.
void fill_random_pool();

// A random number of so many bytes. They are wiped: what made one id is in memory no longer.
template <std::size_t size> std::uint64_t draw()
{
    static_assert(size <= sizeof(std::uint64_t));
    if (random_pool.unread < size || random_pool.owner != MyProcPid)
        fill_random_pool();
    random_pool.unread -= size;
    std::uint64_t number = 0;
    // Not memcpy: on a big-endian machine that fills the upper end.
    for (std::size_t i = 0; i < size; i++)
        number = (number << 8) | random_pool.bytes[random_pool.unread + i];
    std::memset(random_pool.bytes + random_pool.unread, 0, size);
    return number;
}

} // namespace pulid
