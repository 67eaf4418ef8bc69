// Prefixes as type modifiers: packing, unpacking, and the codes that stand for no prefix.

#include "core/modifier.hpp"
#include "support.hpp"

#include <limits>

using namespace support;

namespace {

constexpr bool survives_packing(std::string_view prefix)
{
    const ModifierPrefix unpacked = unpack_modifier(pack_modifier(prefix));
    return unpacked.known && unpacked.prefix() == prefix;
}

static_assert(pack_modifier("") == 0 && survives_packing(""));
static_assert(survives_packing("prd") && survives_packing("a____b") && survives_packing("zzzzzz"));
// Stored in catalogs and dumps: this code may never change.
static_assert(pack_modifier("prd") == ((17 * 28 + 19) * 28 + 5) * 28 * 28 * 28);
static_assert(modifier_limit == 481890304);
static_assert(modifier_admits(pack_modifier("prd"), "prd") && !modifier_admits(-1, ""));
static_assert(!unpack_modifier(-1).known && !unpack_modifier(modifier_limit).known);

// Every text of one to six of these characters, and the empty one, sorted.
std::vector<std::string> short_texts()
{
    std::vector<std::string> texts = {""};
    for (std::size_t i = 0; texts[i].size() < 6; i++)
        for (const char character : {'_', 'a', 'b', 'y', 'z'})
            texts.push_back(texts[i] + character);
    std::sort(texts.begin(), texts.end());
    return texts;
}

TEST(modifier, every_short_prefix_goes_both_ways_and_nothing_else_does)
{
    std::size_t prefixes = 0;
    for (const std::string &text : short_texts()) {
        const std::int32_t modifier = pack_modifier(ExactCopy(text));
        ASSERT_GE(modifier, 0);
        ASSERT_LT(modifier, modifier_limit);
        const ModifierPrefix unpacked = unpack_modifier(modifier);
        const bool edges = !text.empty() && (text.front() == '_' || text.back() == '_');
        ASSERT_EQ(unpacked.known, !edges) << text;
        if (unpacked.known) {
            ASSERT_EQ(unpacked.prefix(), text);
            prefixes++;
        }
    }
    EXPECT_EQ(prefixes, 1U + 4 + 16 * (1 + 5 + 25 + 125 + 625));
}

TEST(modifier, order_is_that_of_the_prefixes)
{
    std::int32_t last = -1;
    for (const std::string &text : short_texts()) {
        const std::int32_t modifier = pack_modifier(text);
        ASSERT_LT(last, modifier) << text; // so no two prefixes share a code
        last = modifier;
    }
}

TEST(modifier, all_codes_of_three_characters)
{
    constexpr std::int32_t unit = 28 * 28 * 28; // three empty places
    std::size_t known = 0;
    for (std::int32_t code = 0; code < unit; code++) {
        const ModifierPrefix unpacked = unpack_modifier(code * unit);
        if (!unpacked.known)
            continue;
        known++;
        ASSERT_TRUE(is_prefix(unpacked.prefix()));
        ASSERT_EQ(pack_modifier(unpacked.prefix()), code * unit);
    }
    EXPECT_EQ(known, 1U + 26 + 26 * 26 + 26 * 27 * 26);
}

TEST(modifier, any_code_is_reserved_or_goes_both_ways)
{
    Random random(601);
    std::size_t known = 0;
    for (int i = 0; i < 200000; i++) {
        const auto code = static_cast<std::int32_t>(static_cast<std::uint32_t>(
            random.one_in(4) ? random.word() : random.below(modifier_limit)));
        const ModifierPrefix unpacked = unpack_modifier(code);
        ASSERT_LE(unpacked.size, max_modifier_prefix_bytes); // reserved ones are printed, too
        if (!unpacked.known)
            continue;
        known++;
        ASSERT_EQ(pack_modifier(unpacked.prefix()), code);
    }
    EXPECT_GT(known, 1000U);
}

TEST(modifier, reserved_codes)
{
    constexpr std::int32_t a = 2;
    const std::int32_t reserved[] = {
        std::numeric_limits<std::int32_t>::min(),
        -1,
        modifier_limit,
        modifier_limit + pack_modifier("prd"),
        std::numeric_limits<std::int32_t>::max(),
        1,                                      // five holes, then '_'
        a,                                      // five holes, then 'a'
        pack_modifier("a") + a,                 // "a", four holes, "a"
        pack_modifier("ab") + 28 * a,           // "ab", two holes, "a"
        28 * 28 * 28 * 28 * a,                  // a hole, then "a"
        28 * 28 * 28 * 28 * 28,                 // '_'
        pack_modifier("a") + 28 * 28 * 28 * 28, // "a_"
        pack_modifier("abcde") + 1,             // "abcde_"
    };
    for (const std::int32_t code : reserved) {
        EXPECT_FALSE(unpack_modifier(code).known) << code;
        for (const std::string &prefix : awkward_prefixes())
            EXPECT_FALSE(modifier_admits(code, prefix)) << code << " and " << prefix;
    }
    EXPECT_EQ(unpack_modifier(modifier_limit - 1).prefix(), "zzzzzz");
}

TEST(modifier, admits_its_own_prefix_only)
{
    for (const std::string &declared : awkward_prefixes()) {
        if (declared.size() > max_modifier_prefix_bytes)
            continue;
        for (const std::string &prefix : awkward_prefixes())
            EXPECT_EQ(modifier_admits(pack_modifier(declared), ExactCopy(prefix)),
                      declared == prefix)
                << declared << " and " << prefix;
    }
}

} // namespace
