// What a person typed: the forms that are forgiven, and those with no reading or with two.

#include "core/tidy.hpp"
#include "support.hpp"

using namespace support;

namespace {

constexpr bool tidies(std::string_view text, std::string_view result)
{
    Id id{};
    return tidy(text, id) && prints_as(id, result);
}

constexpr bool tidies(std::string_view text, std::string_view prefix, std::string_view result)
{
    Id id{};
    return tidy_with_prefix(text, prefix, id) && prints_as(id, result);
}

static_assert(tidies(" PRD_01JQ-3V8F 6A7B 2C8D 9EOF LG2H 3J\n", example));
static_assert(tidies("o1jq3v8f6a7b2c8d9eOfIg2h3j", example_body));
static_assert(tidies("prd 01jq3v8f6a7b2c8d9e0f1g2h3j", "prd", example));
static_assert(!tidies("prd 01jq3v8f6a7b2c8d9e0f1g2h3j", example));
static_assert(!tidies("prda_01jq3v8f6a7b2c8d9e0f1g2h3j", "prd", example));

std::optional<std::string> tidied(std::string_view text)
{
    Id id;
    std::fill_n(id.bytes, max_stored_bytes, '\x55');
    return tidy(ExactCopy(text), id) ? std::optional(text_of(id)) : std::nullopt;
}

std::optional<std::string> tidied(std::string_view text, std::string_view prefix)
{
    Id id;
    std::fill_n(id.bytes, max_stored_bytes, '\x55');
    return tidy_with_prefix(ExactCopy(text), ExactCopy(prefix), id) ? std::optional(text_of(id))
                                                                    : std::nullopt;
}

TEST(tidy, forgives_without_being_told_the_prefix)
{
    for (const char *text : {
             "prd_01jq3v8f6a7b2c8d9e0f1g2h3j",
             "PRD_01JQ3V8F6A7B2C8D9E0F1G2H3J",
             "  prd_01jq3v8f6a7b2c8d9e0f1g2h3j  ",
             "\t\r\n\v\fprd_01jq3v8f6a7b2c8d9e0f1g2h3j\t\r\n\v\f",
             "prd_01jq-3v8f-6a7b-2c8d-9e0f-1g2h-3j",
             "prd_01jq 3v8f 6a7b 2c8d 9e0f 1g2h 3j",
             "prd _ 01jq3v8f6a7b2c8d9e0f1g2h3j",
             "-prd-_-01jq3v8f6a7b2c8d9e0f1g2h3j-",
             "prd_oijq3v8f6a7b2c8d9eofig2h3j",
             "PRD_OLJQ3V8F6A7B2C8D9EOFLG2H3J",
             "prd_0 1 j q 3 v 8 f 6 a 7 b 2 c 8 d 9 e 0 f 1 g 2 h 3 j",
         }) {
        EXPECT_EQ(tidied(text), example) << text;
        EXPECT_EQ(tidied(text, "prd"), example) << text;
    }
    EXPECT_EQ(tidied(" OLJQ-3v8f6a7b2c8d9e0f1g2h3j "), example_body);
    EXPECT_EQ(tidied(" OLJQ-3v8f6a7b2c8d9e0f1g2h3j ", ""), example_body);
    EXPECT_EQ(tidied(" a__B_ O1jq3v8f6a7b2c8d9e0f1g2h3j"), "a__b_" + std::string(example_body));
}

TEST(tidy, forgives_more_where_the_prefix_is_told)
{
    const std::string body(example_body);
    for (const char *begin : {"prd", "prd ", "prd-", "PRD - ", "p r d", " p-r-d_", "prd _ "}) {
        EXPECT_EQ(tidied(begin + body, "prd"), example) << begin;
        if (std::string_view(begin).find('_') == std::string_view::npos) {
            EXPECT_EQ(tidied(begin + body), std::nullopt) << begin;
        }
    }
    for (const char *begin : {"pre_fix_", "pre fix_", "pre-fix-", "PREFIX", "pre fix ", "prefix ",
                              "pre _ fix _ ", "pre_fix"})
        EXPECT_EQ(tidied(begin + body, "pre_fix"), "pre_fix_" + body) << begin;
    for (const char *begin : {"a__b_", "a--b-", "a_b", "a b ", "ab ", "a _ _ b"})
        EXPECT_EQ(tidied(begin + body, "a__b"), "a__b_" + body) << begin;
    // Letters of a prefix are never aliases of digits, nor digits aliases of its letters.
    EXPECT_EQ(tidied("oil" + body, "oil"), "oil_" + body);
    EXPECT_EQ(tidied("01l" + body, "oil"), std::nullopt);
    EXPECT_EQ(tidied("oil_" + body), "oil_" + body);
    EXPECT_EQ(tidied("o1l_" + body), std::nullopt);
    EXPECT_EQ(tidied("oo1jq3v8f6a7b2c8d9e0f1g2h3j", "o"), "o_" + body);
}

TEST(tidy, refuses_two_readings)
{
    const std::string body(example_body);
    for (const char *begin : {"pre fix_", "pre-fix_", "pre fix ", "pre-fix-", "prefix", "pre_ fix_",
                              "p refix_", "pre\tfix_"})
        EXPECT_EQ(tidied(begin + body), std::nullopt) << begin;
}

TEST(tidy, refuses_what_is_hopeless)
{
    const std::string body(example_body);
    const std::string nul(1, '\0');
    const std::string cases[] = {
        "",
        " ",
        "-",
        "_",
        "prd",
        "prd_",
        "_" + body,
        " _" + body,
        "__" + body,
        "prd__" + body,
        "_prd_" + body,
        "prd_" + body.substr(1),
        "prd_" + body + "0",
        "prd_" + body + "_",
        "prd_8" + body.substr(1),
        "prd_z" + body.substr(1),
        "prd_u" + body.substr(1),
        "prd_01jq_3v8f6a7b2c8d9e0f1g2h3j",
        "pr1_" + body,
        "prd." + body,
        "prd_" + body + ".",
        "prd_" + body + nul,
        nul + "prd_" + body,
        "prd" + nul + "_" + body,
        "prd_" + nul + body,
        "prd_" + body.substr(1) + nul,
        "pr" + nul + "d_" + body,
        std::string(26, '\0'),
        "prd_\xc2\xa0" + body,
        "\xef\xbb\xbfprd_" + body,
        "prd\xe2\x80\x93" + body,
        std::string(64, 'a') + "_" + body,
        std::string(1 << 20, ' '),
        std::string(1 << 20, '0'),
        std::string(1 << 20, '_'),
    };
    for (const std::string &text : cases) {
        SCOPED_TRACE(testing::PrintToString(text.substr(0, 80)));
        EXPECT_EQ(tidied(text), std::nullopt);
        EXPECT_EQ(tidied(text, "prd"), std::nullopt);
        EXPECT_EQ(tidied(text, "a__b"), std::nullopt);
        EXPECT_EQ(tidied(text, ""), std::nullopt);
    }
    EXPECT_EQ(tidied(std::string(1 << 20, ' ') + std::string(example)), example);
    const std::string longest = std::string(63, 'a') + "_" + body;
    EXPECT_EQ(tidied(longest), longest);
    EXPECT_EQ(tidied(longest, std::string(63, 'a')), longest);
}

TEST(tidy, never_gives_an_id_another_prefix)
{
    const std::string body(example_body);
    EXPECT_EQ(tidied(body, "prd"), std::nullopt);
    EXPECT_EQ(tidied(" " + body, "prd"), std::nullopt);
    EXPECT_EQ(tidied("prd_" + body, ""), std::nullopt);
    EXPECT_EQ(tidied(" prd " + body, ""), std::nullopt);
    EXPECT_EQ(tidied("prefix_" + body, "pre_fix"), std::nullopt);
    EXPECT_EQ(tidied("pre_fix_" + body, "prefix"), std::nullopt);
    for (const std::string &owner : awkward_prefixes())
        for (const std::string &asked : awkward_prefixes())
            EXPECT_EQ(tidied(text_of(Id(owner, {1, 2})), asked).has_value(), owner == asked)
                << owner << " as " << asked;
}

// A text as a person may type it: case, blanks where they are allowed, aliases in the body.
std::string typed(Random &random, const Id &id)
{
    constexpr std::string_view blanks = " -\t\n";
    const std::string prefix(id.view().prefix());
    std::string text = prefix;
    const auto blank = [&] {
        if (random.one_in(4))
            text += random.pick(blanks);
    };
    text.clear();
    blank();
    text += random.one_in(2) ? upper(prefix) : prefix;
    blank();
    if (!prefix.empty())
        text += '_';
    for (const char digit : text_of(Id("", id.view().body()))) {
        blank();
        if (digit == '0')
            text += random.pick(std::string_view("0oO"));
        else if (digit == '1')
            text += random.pick(std::string_view("1iIlL"));
        else
            text += random.one_in(2) ? upper({&digit, 1})[0] : digit;
    }
    blank();
    return text;
}

TEST(tidy, reads_what_was_typed_as_the_id_it_was_typed_from)
{
    Random random(901);
    for (int i = 0; i < 20000; i++) {
        const Id id = random_id(random);
        const std::string text = typed(random, id);
        ASSERT_EQ(tidied(text), text_of(id)) << testing::PrintToString(text);
        ASSERT_EQ(tidied(text, id.view().prefix()), text_of(id)) << testing::PrintToString(text);
    }
}

// Also not one that differs in its underscores only: ab_ is ab, and never a_b.
TEST(tidy, never_gives_what_was_typed_another_prefix)
{
    const std::string body(example_body);
    EXPECT_EQ(tidied(" prefix_" + body, "pre_fix"), std::nullopt);
    EXPECT_EQ(tidied("prefix_o" + body.substr(1), "pre_fix"), std::nullopt);
    EXPECT_EQ(tidied("prefix_ " + body, "pre_fix"), std::nullopt);
    Random random(902);
    for (int i = 0; i < 50000; i++) {
        const Id id = random_id(random);
        const std::string &asked = random.pick(awkward_prefixes());
        const std::string text = typed(random, id);
        if (asked != id.view().prefix()) {
            ASSERT_EQ(tidied(text, asked), std::nullopt)
                << testing::PrintToString(text) << " as " << asked;
        }
    }
}

TEST(tidy, accepts_all_that_input_accepts)
{
    Random random(903);
    for (int i = 0; i < 20000; i++) {
        const std::string text = text_of(random_id(random));
        ASSERT_EQ(tidied(text), text);
        ASSERT_EQ(tidied(upper(text)), text);
    }
}

} // namespace
