// Bytes that are the same on every machine, written out: what is stored, and what sorts.

#include "core/id_span.hpp"
#include "core/sort_key.hpp"
#include "support.hpp"

using namespace support;

namespace {

std::string hex(std::string_view bytes)
{
    std::string text;
    for (const char character : bytes) {
        const auto byte = static_cast<unsigned char>(character);
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

TEST(bytes, of_stored_ids)
{
    const auto stored = [](std::string_view text) {
        const Id id = id_of(text);
        return hex({id.bytes, id.size});
    };
    EXPECT_EQ(stored(example), "7072640195c7b43cca3ac4c4352e03c3014472");
    EXPECT_EQ(stored(example_body), "0195c7b43cca3ac4c4352e03c3014472");
    EXPECT_EQ(stored("a_b_7zzzzzzzzzzzzzzzzzzzzzzzzz"), "615f62ffffffffffffffffffffffffffffffff");
    EXPECT_EQ(stored("z_00000000000000000000000001"), "7a00000000000000000000000000000001");
}

TEST(bytes, of_stored_spans)
{
    const Id lower = id_of("a_00000000000000000000000001");
    const Id upper = id_of(example);
    const IdSpan span(lower, upper);
    std::vector<char> bytes(span.stored_size());
    store_span(span, bytes.data());
    EXPECT_EQ(hex({bytes.data(), bytes.size()}), "11"
                                                 "6100000000000000000000000000000001"
                                                 "7072640195c7b43cca3ac4c4352e03c3014472");
}

TEST(bytes, of_modifiers)
{
    EXPECT_EQ(pack_modifier("prd"), 304364480);
    EXPECT_EQ(pack_modifier("a_b"), 35101248);
    EXPECT_EQ(pack_modifier("zzzzzz"), 481890303);
}

// In the order in which a sort meets them.
TEST(bytes, of_sort_keys)
{
    PrefixLabels labels;
    const auto key = [&labels](std::string_view text) {
        char bytes[8];
        store_big_endian(labels.sort_key(id_of(text)), bytes);
        return hex({bytes, 8});
    };
    EXPECT_EQ(key(example), "a132b8f687994758");
    EXPECT_EQ(key("prd_01jq3v8f6a7b2c8d9e0f1g2h3k"), "a132b8f687994758");
    EXPECT_EQ(key(example_body), "0032b8f687994758");
    EXPECT_EQ(key("usr_7zzzzzzzzzzzzzzzzzzzzzzzzz"), "cfffffffffffffff");
    EXPECT_EQ(key("a_b_00000000000000000000000000"), "1300000000000000");
    EXPECT_EQ(key("abcdefghi_00000000000000000000000000"), "14ffffffffffffff");
    EXPECT_EQ(key("prda_01jq3v8f6a7b2c8d9e0f1g2h3j"), "a232b8f687994758");
}

} // namespace
