// random_bits MODE MASK: reads what COPY (SELECT uuid ...) TO STDOUT (FORMAT binary) gives, writes
// the random bits of it, packed, for a battery of tests.
//
// MASK has 32 hexadecimal digits: the bits of the 128 that are random. MODE is
//
//     all    of every value
//     fresh  of the values whose other bits are not those of the value before: a generator that
//            draws anew for each tick of its clock does so for these
//     steps  of the differences, less one, between a value and the one before with the same high
//            60 bits: what a generator adds within a tick. MASK selects among their low 64 bits.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct Bits {
    std::uint64_t high;
    std::uint64_t low;
};

[[noreturn]] void give_up(const char *message)
{
    std::fprintf(stderr, "random_bits: %s\n", message);
    std::exit(1);
}

std::uint64_t word_at(const unsigned char *bytes)
{
    std::uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word = word << 8 | bytes[i];
    return word;
}

// The header of the format, and of every row: the number of columns and the size of this one.
constexpr unsigned char signature[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0";
constexpr unsigned char row_header[] = {0, 1, 0, 0, 0, 16};

bool next(Bits &bits)
{
    unsigned char row[sizeof row_header + 16];
    const std::size_t size = std::fread(row, 1, sizeof row, stdin);
    if (size == 2 && row[0] == 0xff && row[1] == 0xff)
        return false;
    if (size != sizeof row || std::memcmp(row, row_header, sizeof row_header) != 0)
        give_up("not a row of one uuid");
    bits = {word_at(row + sizeof row_header), word_at(row + sizeof row_header + 8)};
    return true;
}

// Bytes are filled from their upper end.
void put(std::uint64_t word, std::uint64_t mask)
{
    static unsigned byte = 1;
    for (int i = 63; i >= 0; i--) {
        if ((mask >> i & 1) == 0)
            continue;
        byte = byte << 1 | (word >> i & 1);
        if (byte >= 256) {
            if (std::putchar(static_cast<int>(byte & 255)) == EOF)
                std::exit(0); // the battery has enough
            byte = 1;
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3 || std::strlen(argv[2]) != 32)
        give_up("usage: random_bits all|fresh|steps MASK");
    const bool fresh = std::strcmp(argv[1], "fresh") == 0;
    const bool steps = std::strcmp(argv[1], "steps") == 0;
    const Bits mask = {std::strtoull(std::string(argv[2], 16).c_str(), nullptr, 16),
                       std::strtoull(argv[2] + 16, nullptr, 16)};

    unsigned char header[19];
    if (std::fread(header, 1, sizeof header, stdin) != sizeof header ||
        std::memcmp(header, signature, sizeof header) != 0)
        give_up("not a binary COPY");
    Bits before = {~std::uint64_t{0}, ~std::uint64_t{0}};
    for (Bits bits; next(bits); before = bits) {
        if (steps) {
            if (bits.high >> 4 == before.high >> 4)
                put(bits.low - before.low - 1, mask.low);
            continue;
        }
        if (fresh && (bits.high & ~mask.high) == (before.high & ~mask.high) &&
            (bits.low & ~mask.low) == (before.low & ~mask.low))
            continue;
        put(bits.high, mask.high);
        put(bits.low, mask.low);
    }
    return 0;
}
