// The pool of random.hpp and its only source.

#include "pg/random.hpp"

#include "pg/report.hpp"

namespace pulid {

RandomPool random_pool;

void fill_random_pool()
{
    random_pool.unread = 0; // nothing may be read if the next line fails
    if (!pg_strong_random(random_pool.bytes, sizeof random_pool.bytes))
        report_no_randomness();
    random_pool.unread = sizeof random_pool.bytes;
    random_pool.owner = MyProcPid;
}

} // namespace pulid
