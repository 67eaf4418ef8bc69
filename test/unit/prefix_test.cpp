// The rules of a prefix: which are accepted, and how the first broken rule is named.

#include "support.hpp"

using namespace support;

namespace {

static_assert(is_prefix("") && is_prefix("a") && is_prefix("prd") && is_prefix("a__b"));
static_assert(!is_prefix("_") && !is_prefix("_a") && !is_prefix("a_") && !is_prefix("A"));
static_assert(find_prefix_error("ab-c", Case::exact) ==
              TextProblem{TextError::prefix_character, 2});
static_assert(is_lower('a') && is_lower('z') && !is_lower('a' - 1) && !is_lower('z' + 1));
static_assert(to_lower('Q') == 'q' && to_lower('q') == 'q' && to_lower('@') == '@' &&
              to_lower('[') == '[');

static_assert(is_upper('A') && is_upper('Z') && !is_upper('A' - 1) && !is_upper('Z' + 1));
static_assert(is_digit('0') && is_digit('9') && !is_digit('0' - 1) && !is_digit('9' + 1));

// What copy_prefix leaves behind, or nothing if it says no.
template <Case letters> std::optional<std::string> copied(std::string_view prefix)
{
    std::vector<char> output(std::min(prefix.size(), max_prefix_bytes));
    const ExactCopy input(prefix);
    if (!copy_prefix<letters>(input, output.data()))
        return std::nullopt;
    return std::string(output.begin(), output.end());
}

TEST(prefix, accepts_letters_and_inner_underscores)
{
    for (const std::string &prefix : awkward_prefixes()) {
        EXPECT_TRUE(is_prefix(prefix)) << prefix;
        EXPECT_EQ(copied<Case::exact>(prefix), prefix);
        EXPECT_EQ(copied<Case::fold>(upper(prefix)), prefix);
        EXPECT_EQ(find_prefix_error(prefix, Case::exact), (TextProblem{TextError::none, 0}));
        EXPECT_EQ(find_prefix_error(upper(prefix), Case::fold), (TextProblem{TextError::none, 0}));
    }
}

TEST(prefix, only_letters_at_the_edges_and_only_letters_and_underscores_inside)
{
    for (int byte = 0; byte < 256; byte++) {
        const std::string character(1, static_cast<char>(byte));
        const bool small = byte >= 'a' && byte <= 'z';
        const bool letter = small || (byte >= 'A' && byte <= 'Z');
        for (const std::string &edge : {character, character + "a", "a" + character}) {
            EXPECT_EQ(is_prefix(edge), small) << byte;
            EXPECT_EQ(copied<Case::exact>(edge).has_value(), small) << byte;
            EXPECT_EQ(copied<Case::fold>(edge).has_value(), letter) << byte;
        }
        EXPECT_EQ(is_prefix("a" + character + "b"), small || byte == '_') << byte;
        EXPECT_EQ(copied<Case::fold>("a" + character + "b").has_value(), letter || byte == '_');
    }
}

TEST(prefix, has_63_characters_at_most)
{
    EXPECT_TRUE(is_prefix(std::string(63, 'a')));
    EXPECT_FALSE(is_prefix(std::string(64, 'a')));
    EXPECT_FALSE(is_prefix(std::string(1 << 20, 'a')));
    EXPECT_EQ(copied<Case::fold>(std::string(63, 'A')), std::string(63, 'a'));
    EXPECT_EQ(copied<Case::fold>(std::string(64, 'A')), std::nullopt);
}

TEST(prefix, names_the_broken_rule)
{
    struct {
        std::string prefix;
        TextProblem problem;
    } const cases[] = {
        {"PRD", {TextError::prefix_character, 0}},
        {"prD", {TextError::prefix_character, 2}},
        {"pr d", {TextError::prefix_character, 2}},
        {"prd1", {TextError::prefix_character, 3}},
        {std::string("a\0b", 3), {TextError::prefix_character, 1}},
        {"pr\xc3\xa9", {TextError::prefix_character, 2}},
        {"_", {TextError::prefix_edge, 0}},
        {"_prd", {TextError::prefix_edge, 0}},
        {"prd_", {TextError::prefix_edge, 3}},
        {"prd__", {TextError::prefix_edge, 4}},
        {std::string(64, 'a'), {TextError::prefix_length, 64}},
        {std::string(1000, '_'), {TextError::prefix_length, 1000}},
        // The character is more telling than the length.
        {std::string(64, 'a') + "1", {TextError::prefix_character, 64}},
    };
    for (const auto &[prefix, problem] : cases) {
        EXPECT_EQ(find_prefix_error(ExactCopy(prefix), Case::exact), problem) << prefix;
        EXPECT_FALSE(is_prefix(prefix)) << prefix;
    }
    EXPECT_EQ(find_prefix_error("PR-D", Case::fold), (TextProblem{TextError::prefix_character, 2}));
}

TEST(prefix, rule_and_wording_agree)
{
    Random random(301);
    constexpr std::string_view characters = "abzAZ__09-\xff";
    for (int i = 0; i < 50000; i++) {
        std::string prefix(random.one_in(20) ? 60 + random.below(6) : random.below(6), 'x');
        for (char &character : prefix)
            if (random.one_in(3))
                character = random.pick(characters);
        const ExactCopy copy(prefix);
        ASSERT_EQ(find_prefix_error(copy, Case::exact).error == TextError::none, is_prefix(copy))
            << prefix;
        ASSERT_EQ(find_prefix_error(copy, Case::fold).error == TextError::none,
                  copied<Case::fold>(prefix).has_value())
            << prefix;
        if (copied<Case::fold>(prefix)) {
            ASSERT_EQ(copied<Case::fold>(prefix), lower(prefix));
        }
    }
}

} // namespace
