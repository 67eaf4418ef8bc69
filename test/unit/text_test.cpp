// Text to id and back: what is read, what is refused, and what the refusal says.

#include "support.hpp"

using namespace support;

namespace {

constexpr bool reads_folded(std::string_view text, std::string_view printed)
{
    Id id{};
    return parse<Case::fold>(text, id) && prints_as(id, printed);
}

static_assert(prints_as(known_id(example), example));
static_assert(prints_as(known_id("a__b_00000000000000000000000000"),
                        "a__b_00000000000000000000000000"));
static_assert(known_id(example).size == 19 && known_id(example_body).size == 16);
static_assert(reads_folded("PRD_01JQ3V8F6A7B2C8D9E0F1G2H3J", example));
static_assert(!is_canonical("PRD_01JQ3V8F6A7B2C8D9E0F1G2H3J") && is_canonical(example));
static_assert(!is_canonical("") && !is_canonical("prd_") && !is_canonical("prd"));
static_assert(find_error("prd_8zzzzzzzzzzzzzzzzzzzzzzzzz") ==
              TextProblem{TextError::body_overflow, 4});

template <Case letters> std::optional<std::string> read(std::string_view text)
{
    Id id;
    std::fill_n(id.bytes, max_stored_bytes, '\x55'); // what was there must not shine through
    if (!parse<letters>(ExactCopy(text), id))
        return std::nullopt;
    return text_of(id);
}

TEST(text, reads_an_id_with_and_without_prefix)
{
    const Id id = id_of(example);
    EXPECT_EQ(id.view().prefix(), "prd");
    EXPECT_EQ(id.view().text_size(), 30U);
    EXPECT_EQ(id.view().body(), (Ulid{0x0195c7b43cca3ac4, 0xc4352e03c3014472}));
    const Id bare = id_of(example_body);
    EXPECT_EQ(bare.view().prefix(), "");
    EXPECT_EQ(bare.view().text_size(), 26U);
    EXPECT_EQ(bare.view().body(), id.view().body());
}

TEST(text, splits_at_the_last_underscore)
{
    EXPECT_EQ(id_of("pre_fix_00000000000000000000000000").view().prefix(), "pre_fix");
    EXPECT_EQ(id_of("a__b_00000000000000000000000000").view().prefix(), "a__b");
}

TEST(text, longest_prefix_has_63_letters)
{
    const std::string longest = std::string(63, 'x') + '_' + std::string(example_body);
    EXPECT_EQ(longest.size(), max_text_bytes);
    EXPECT_EQ(text_of(id_of(longest)), longest);
    EXPECT_EQ(id_of(longest).size, max_stored_bytes);
    EXPECT_EQ(read<Case::fold>('x' + longest), std::nullopt);
}

TEST(text, only_input_folds_case)
{
    const std::string mixed = "pRd_01Jq3v8f6A7b2c8d9e0f1g2h3J";
    EXPECT_EQ(read<Case::fold>(mixed), example);
    EXPECT_EQ(read<Case::exact>(mixed), std::nullopt);
    EXPECT_FALSE(is_canonical(mixed));
    EXPECT_EQ(find_error(mixed).error, TextError::none);
    for (std::size_t i = 0; i < example.size(); i++) {
        std::string one(example);
        one[i] = upper(one.substr(i, 1))[0];
        EXPECT_EQ(read<Case::fold>(one), example);
        EXPECT_EQ(is_canonical(one), one == example) << one;
    }
}

TEST(text, leaves_bytes_behind_the_id_alone)
{
    Id id;
    std::fill_n(id.bytes, max_stored_bytes, '\x55');
    ASSERT_TRUE(parse<Case::fold>(example, id));
    EXPECT_EQ(std::count(id.bytes + id.size, id.bytes + max_stored_bytes, '\x55'),
              static_cast<std::ptrdiff_t>(max_stored_bytes - id.size));
}

TEST(text, refusal_says_which_rule_and_where)
{
    const std::string body(example_body);
    const std::string zeros(26, '0');
    struct {
        std::string text;
        TextProblem problem;
    } const cases[] = {
        {"", {TextError::empty, 0}},
        {"_", {TextError::prefix_empty, 0}},
        {"prd", {TextError::body_length, 3}},
        {"prd_", {TextError::body_length, 0}},
        {body.substr(1), {TextError::body_length, 25}},
        {body + "0", {TextError::body_length, 27}},
        {"prd" + body, {TextError::body_length, 29}},
        {"prd_" + body.substr(1), {TextError::body_length, 25}},
        {"prd_" + body + "0", {TextError::body_length, 27}},
        {" " + body, {TextError::body_character, 0}},
        {body + " ", {TextError::body_character, 26}},
        {"\n" + body, {TextError::body_character, 0}},
        {body + "\n", {TextError::body_character, 26}},
        {body.substr(1) + "\n", {TextError::body_character, 25}},
        {" prd_" + body, {TextError::prefix_character, 0}},
        {"prd _" + body, {TextError::prefix_character, 3}},
        {"prd_ " + body, {TextError::body_character, 4}},
        {"prd_" + body + "\n", {TextError::body_character, 30}},
        {"prd_" + body + std::string(1, '\0'), {TextError::body_character, 30}},
        {"prd-" + body, {TextError::body_character, 3}},
        {"prd 01jq3v8f6a7b2c8d9e0f1g2h3j", {TextError::body_character, 3}},
        {"prd_01jq-3v8f-6a7b-2c8d-9e0f-1g2h3j", {TextError::body_character, 8}},
        {std::string(example_uuid), {TextError::body_character, 8}},
        {"0195c7b43cca3ac4c4352e03c3014472", {TextError::body_length, 32}},
        {"prd_01jq3v8f6a7b2c8d9e0f1g2h3\xc3\xa9", {TextError::body_character, 29}},
        {"\xff", {TextError::body_character, 0}},
        {"pr\xc3\xa9_" + zeros, {TextError::prefix_character, 2}},
        {"i" + body.substr(1), {TextError::body_character, 0}},
        {"0I" + body.substr(2), {TextError::body_character, 1}},
        {"prd_0l" + body.substr(2), {TextError::body_character, 5}},
        {"prd_" + body.substr(0, 25) + "o", {TextError::body_character, 29}},
        {"prd_" + body.substr(0, 25) + "U", {TextError::body_character, 29}},
        {"8" + body.substr(1), {TextError::body_overflow, 0}},
        {"prd_z" + body.substr(1), {TextError::body_overflow, 4}},
        {"PRD_Z" + body.substr(1), {TextError::body_overflow, 4}},
        {"_" + zeros, {TextError::prefix_empty, 0}},
        {"_" + body.substr(1), {TextError::prefix_empty, 0}},
        {"__" + zeros, {TextError::prefix_edge, 0}},
        {"_a_" + zeros, {TextError::prefix_edge, 0}},
        {"a__" + zeros, {TextError::prefix_edge, 1}},
        {"a1_" + zeros, {TextError::prefix_character, 1}},
        {"12345_" + zeros, {TextError::prefix_character, 0}},
        {"a.b_" + zeros, {TextError::prefix_character, 1}},
        {std::string("a\0b_", 4) + zeros, {TextError::prefix_character, 1}},
        {std::string(3, '\0'), {TextError::body_character, 0}},
        {"01\x1b[2J", {TextError::body_character, 2}},
        {"01\x7f", {TextError::body_character, 2}},
        {"01\n", {TextError::body_character, 2}},
        {"01 ~", {TextError::body_length, 4}}, // too short to say more of what can be seen
        {std::string(26, '\0'), {TextError::body_character, 0}},
        {std::string(64, 'a') + "_" + zeros, {TextError::prefix_length, 64}},
        {std::string(63, 'a') + "__" + zeros, {TextError::prefix_length, 64}},
        {std::string(63, 'a') + "1_" + zeros, {TextError::prefix_character, 63}},
        {std::string(1 << 20, '0'), {TextError::body_length, 1 << 20}},
        {std::string(1 << 20, 'a') + "_" + zeros, {TextError::prefix_length, 1 << 20}},
        {"a_" + std::string(1 << 20, '0'), {TextError::body_length, 1 << 20}},
        {std::string(1 << 20, '_'), {TextError::prefix_length, (1 << 20) - 1}},
    };
    for (const auto &[text, problem] : cases) {
        SCOPED_TRACE(text.substr(0, 100));
        EXPECT_EQ(find_error(ExactCopy(text)), problem);
        EXPECT_EQ(read<Case::exact>(text), std::nullopt);
        EXPECT_EQ(read<Case::fold>(text), std::nullopt);
        EXPECT_FALSE(is_canonical(ExactCopy(text)));
    }
}

// A well-formed text after a few accidents, sometimes none.
std::string damaged(Random &random)
{
    std::string text = text_of(random_id(random));
    constexpr std::string_view bytes("__-0789aAzZgGiIlLoOuU \n\0\x7f\x80\xc3\xff", 26);
    for (std::size_t count = random.below(3); count > 0; count--) {
        const std::size_t at = random.below(text.size());
        switch (random.below(6)) {
        case 0:
            text.erase(at, 1);
            break;
        case 1:
            text.insert(at, 1, random.pick(bytes));
            break;
        case 2:
            text += random.pick(bytes);
            break;
        case 3:
            text = upper(text);
            break;
        case 4:
            text.insert(0, 1, random.pick(bytes));
            break;
        default:
            text[at] = random.pick(bytes);
        }
    }
    return text;
}

bool is_ascii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(),
                       [](char byte) { return static_cast<unsigned char>(byte) < 128; });
}

TEST(text, parser_reasons_and_reference_agree_on_damaged_texts)
{
    Random random(401);
    int read_texts = 0;
    for (int i = 0; i < 60000; i++) {
        const std::string text = damaged(random);
        SCOPED_TRACE(testing::PrintToString(text));
        const auto exact = reference_read(text, Case::exact);
        const auto fold = reference_read(text, Case::fold);
        ASSERT_EQ(read<Case::exact>(text), exact);
        ASSERT_EQ(read<Case::fold>(text), fold);
        ASSERT_EQ(is_canonical(ExactCopy(text)), exact.has_value());
        if (exact) {
            ASSERT_EQ(fold, text);
        }
        if (fold) {
            ASSERT_EQ(fold, lower(text));
            read_texts++;
        }
        const TextProblem problem = find_error(ExactCopy(text));
        ASSERT_EQ(problem.error == TextError::none, fold.has_value());
        if (problem.error == TextError::body_length || problem.error == TextError::prefix_length) {
            ASSERT_LE(problem.number, text.size());
        } else if (!fold) { // a position, and counting bytes is counting characters up to there
            ASSERT_LT(problem.number, text.size());
            ASSERT_TRUE(is_ascii(std::string_view(text).substr(0, problem.number)));
        }
    }
    EXPECT_GT(read_texts, 10000); // the damage is neither too rare nor too thorough
    EXPECT_LT(read_texts, 50000);
}

} // namespace
