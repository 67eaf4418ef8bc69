// Loaded into a server by LD_PRELOAD: while the file that BROKEN_RANDOM names exists, there are no
// random bytes to be had, neither from OpenSSL nor, in a server built without it, from the device.
// What OpenSSL was to fill is filled with zeroes, so that whoever ignores the failure is found out.

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

bool broken()
{
    const char *name = std::getenv("BROKEN_RANDOM");
    return name != nullptr && access(name, F_OK) == 0;
}

int open_unless_broken(const char *path, int flags, mode_t mode)
{
    if (std::strcmp(path, "/dev/urandom") == 0 && broken()) {
        errno = EIO;
        return -1;
    }
    constexpr int here = -100; // AT_FDCWD; fcntl.h declares open otherwise
    return static_cast<int>(syscall(SYS_openat, here, path, flags, mode));
}

} // namespace

extern "C" int RAND_bytes(unsigned char *bytes, int size)
{
    if (broken()) {
        std::memset(bytes, 0, static_cast<std::size_t>(size));
        return 0;
    }
    using Function = int (*)(unsigned char *, int);
    static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "RAND_bytes"));
    return next == nullptr ? 0 : next(bytes, size);
}

extern "C" int open(const char *path, int flags, mode_t mode)
{
    return open_unless_broken(path, flags, mode);
}

extern "C" int open64(const char *path, int flags, mode_t mode)
{
    return open_unless_broken(path, flags, mode);
}
