// The 128 bits in memory: RFC 9562 byte order, and the clock part of a ULID.

#include "support.hpp"

using namespace support;

namespace {

constexpr bool survives_memory(Ulid ulid)
{
    char bytes[body_bytes]{};
    store_ulid(ulid, bytes);
    return load_ulid(bytes) == ulid;
}

static_assert(survives_memory({0x0123456789abcdef, 0xfedcba9876543210}));
static_assert(Ulid{1, 0} > Ulid{0, ~std::uint64_t{0}});
static_assert(last_millisecond == 281474976710655);
static_assert(first_of_millisecond(last_millisecond) == Ulid{0xffffffffffff0000, 0});
static_assert(last_of_millisecond(0) == Ulid{0xffff, ~std::uint64_t{0}});

TEST(ulid, first_byte_in_memory_is_the_most_significant)
{
    char bytes[body_bytes];
    store_ulid({0x0001020304050607, 0x08090a0b0c0d0eff}, bytes);
    for (std::size_t i = 0; i < 15; i++)
        EXPECT_EQ(bytes[i], static_cast<char>(i));
    EXPECT_EQ(bytes[15], '\xff');
}

TEST(ulid, high_bytes_do_not_spill_into_their_neighbours)
{
    const std::vector<char> bytes(16, '\xff'); // where char is signed, -1
    EXPECT_EQ(load_ulid(bytes.data()), ulid_of(~Bits{0}));
    std::vector<char> one = std::vector<char>(16, '\0');
    for (std::size_t i = 0; i < 16; i++) {
        one[i] = '\x80';
        EXPECT_EQ(load_ulid(one.data()), ulid_of(Bits{0x80} << (120 - 8 * i)));
        one[i] = '\0';
    }
}

TEST(ulid, stored_body_is_the_uuid)
{
    EXPECT_EQ(uuid_text(id_of(example)), example_uuid);
    EXPECT_EQ(uuid_text(id_of(example_body)), example_uuid);
}

TEST(ulid, clock_is_the_first_48_bits)
{
    EXPECT_EQ(id_of(example).view().body().milliseconds(), example_milliseconds);
    EXPECT_EQ(id_of("7zzzzzzzzz0000000000000000").view().body().milliseconds(), last_millisecond);
    EXPECT_EQ(id_of("0000000000zzzzzzzzzzzzzzzz").view().body().milliseconds(), 0U);
    EXPECT_EQ(id_of("00000000010000000000000000").view().body().milliseconds(), 1U);
}

TEST(ulid, bounds_of_a_millisecond_are_next_to_those_of_its_neighbours)
{
    for (const std::uint64_t ms : {std::uint64_t{0}, std::uint64_t{1}, example_milliseconds,
                                   last_millisecond - 1, last_millisecond}) {
        EXPECT_EQ(first_of_millisecond(ms).milliseconds(), ms);
        EXPECT_EQ(last_of_millisecond(ms).milliseconds(), ms);
        EXPECT_EQ(bits_of(last_of_millisecond(ms)) - bits_of(first_of_millisecond(ms)),
                  (Bits{1} << 80) - 1);
    }
    EXPECT_EQ(bits_of(last_of_millisecond(7)) + 1, bits_of(first_of_millisecond(8)));
}

TEST(ulid, order_is_that_of_the_bytes_in_memory)
{
    Random random(201);
    for (int i = 0; i < 20000; i++) {
        const Ulid left = random.body();
        const Ulid right = random.body();
        char left_bytes[body_bytes];
        char right_bytes[body_bytes];
        store_ulid(left, left_bytes);
        store_ulid(right, right_bytes);
        const int order = std::string(left_bytes, 16).compare(std::string(right_bytes, 16));
        ASSERT_EQ(left < right, order < 0);
        ASSERT_EQ(left == right, order == 0);
        ASSERT_EQ(load_ulid(left_bytes), left);
    }
}

} // namespace
