// Order and equality of ids: that of their printed texts, byte for byte, also against any text.

#include "support.hpp"

using namespace support;

namespace {

constexpr int order(std::string_view left, std::string_view right)
{
    return compare(known_id(left), known_id(right));
}

static_assert(order("00000000000000000000000000", "00000000000000000000000001") == -1);
static_assert(order("7zzzzzzzzzzzzzzzzzzzzzzzzz", "a_00000000000000000000000000") == -1);
static_assert(order("a_b_00000000000000000000000000", "a_7zzzzzzzzzzzzzzzzzzzzzzzzz") == 1);
static_assert(order("ab_00000000000000000000000000", "a_b_7zzzzzzzzzzzzzzzzzzzzzzzzz") == 1);
static_assert(order(example, example) == 0 && equal(known_id(example), known_id(example)));
static_assert(!equal(known_id(example), known_id(example_body)));
static_assert(compare_with_text(known_id(example), example) == 0);
static_assert(compare_with_text(known_id(example), "prd") == 1);
static_assert(compare_with_text(known_id(example), "prda") == -1);
static_assert(starts_with(known_id(example), "prd_01jq") &&
              !starts_with(known_id(example), "prd0"));
static_assert(starts_with(known_id(example), example) && starts_with(known_id(example), ""));

int sign_of(int value) { return (value > 0) - (value < 0); }

TEST(order, is_that_of_the_texts)
{
    Random random(501);
    for (int i = 0; i < 100000; i++) {
        const Id left = random_id(random);
        const Id right =
            random.one_in(8) ? Id(left.view().prefix(), random.body()) : random_id(random);
        const std::string left_text = text_of(left);
        const std::string right_text = text_of(right);
        const int expected = sign_of(left_text.compare(right_text));
        ASSERT_EQ(compare(left, right), expected) << left_text << " and " << right_text;
        ASSERT_EQ(compare(right, left), -expected) << left_text << " and " << right_text;
        ASSERT_EQ(equal(left, right), expected == 0) << left_text << " and " << right_text;
    }
}

TEST(order, holds_for_all_pairs_of_prefixes_at_the_edges_of_the_body)
{
    const Ulid letters{0x6161616161616161, 0x6161616161616161}; // stored as a prefix is
    const Ulid edges[] = {{0, 0}, {0, 1}, {1, 0}, letters, ulid_of(~Bits{0})};
    for (const std::string &left_prefix : awkward_prefixes())
        for (const std::string &right_prefix : awkward_prefixes())
            for (const Ulid left_body : edges)
                for (const Ulid right_body : edges) {
                    const Id left(left_prefix, left_body);
                    const Id right(right_prefix, right_body);
                    const int expected = sign_of(text_of(left).compare(text_of(right)));
                    ASSERT_EQ(compare(left, right), expected)
                        << text_of(left) << " and " << text_of(right);
                    ASSERT_EQ(equal(left, right), expected == 0)
                        << text_of(left) << " and " << text_of(right);
                }
}

TEST(order, sorts_as_texts_sort)
{
    Random random(502);
    std::vector<Id> ids;
    std::vector<std::string> texts;
    for (int i = 0; i < 20000; i++) {
        ids.push_back(random_id(random));
        texts.push_back(text_of(ids.back()));
    }
    std::sort(ids.begin(), ids.end(),
              [](const Id &left, const Id &right) { return compare(left, right) < 0; });
    std::sort(texts.begin(), texts.end());
    for (std::size_t i = 0; i < ids.size(); i++)
        ASSERT_EQ(text_of(ids[i]), texts[i]);
}

TEST(order, equality_looks_at_nothing_behind_the_id)
{
    Id left;
    Id right;
    std::fill_n(left.bytes, max_stored_bytes, '\x11');
    std::fill_n(right.bytes, max_stored_bytes, '\x77');
    for (const std::string &prefix : awkward_prefixes()) {
        left.assign(prefix, {1, 2});
        right.assign(prefix, {1, 2});
        EXPECT_TRUE(equal(left, right)) << prefix;
        EXPECT_EQ(compare(left, right), 0) << prefix;
        // Hashing reads these bytes: equal ids must have equal ones.
        EXPECT_EQ(std::string(left.bytes, left.size), std::string(right.bytes, right.size));
    }
}

TEST(order, equality_is_not_fooled_by_bytes_that_go_on)
{
    const Id bare("", {0x6161616161616161, 0x6161616161616161});
    const Id longer(std::string(16, 'a'), {1, 2}); // begins with the bytes of the bare one
    EXPECT_FALSE(equal(bare, longer));
    EXPECT_FALSE(equal(longer, bare));
    EXPECT_EQ(compare(bare, longer), -1);
    EXPECT_EQ(compare(longer, bare), 1);
}

TEST(order, every_differing_bit_counts)
{
    for (unsigned bit = 0; bit < 128; bit++) {
        const Id zero("ab", {0, 0});
        const Id one("ab", ulid_of(Bits{1} << bit));
        EXPECT_FALSE(equal(zero, one));
        EXPECT_EQ(compare(zero, one), -1);
        EXPECT_EQ(compare(one, zero), 1);
    }
}

void check_against_text(const Id &id, const std::string &printed, const std::string &text)
{
    const ExactCopy copy(text);
    SCOPED_TRACE(testing::PrintToString(text));
    ASSERT_EQ(compare_with_text(id, copy), sign_of(printed.compare(text))) << printed;
    ASSERT_EQ(starts_with(id, copy), printed.substr(0, text.size()) == text) << printed;
}

TEST(text_order, beginnings_longer_texts_and_changed_bytes)
{
    constexpr std::string_view bytes("\0\n 09:@AZ[^_`az{\x7f\x80\xff", 19);
    Random random(504);
    for (const std::string &prefix : awkward_prefixes()) {
        const Id id(prefix, random.body());
        const std::string printed = text_of(id);
        for (std::size_t length = 0; length <= printed.size(); length++) {
            ASSERT_NO_FATAL_FAILURE(check_against_text(id, printed, printed.substr(0, length)));
            for (const char byte : bytes) {
                std::string changed = printed.substr(0, length) + byte;
                ASSERT_NO_FATAL_FAILURE(check_against_text(id, printed, changed));
                if (length < printed.size())
                    changed += printed.substr(length + 1);
                ASSERT_NO_FATAL_FAILURE(check_against_text(id, printed, changed));
            }
        }
    }
}

TEST(text_order, texts_of_other_ids_and_their_beginnings)
{
    Random random(505);
    for (int i = 0; i < 20000; i++) {
        const Id id = random_id(random);
        std::string other = text_of(random_id(random));
        if (random.one_in(2))
            other.resize(random.below(other.size() + 1));
        ASSERT_NO_FATAL_FAILURE(check_against_text(id, text_of(id), other));
    }
}

TEST(text_order, upper_case_and_long_texts_are_other_texts)
{
    const Id id = id_of(example);
    const std::string printed(example);
    EXPECT_EQ(compare_with_text(id, upper(printed)), 1);
    EXPECT_FALSE(starts_with(id, "PRD"));
    EXPECT_TRUE(starts_with(id, ""));
    EXPECT_EQ(compare_with_text(id, ""), 1);
    for (const char byte : {'\0', ' ', '\xff'})
        EXPECT_EQ(compare_with_text(id, printed + std::string(1 << 20, byte)), -1);
    // Enough is known of a text after one byte more than the longest id has.
    const std::string longest = text_of(Id(std::string(63, 'q'), {5, 5}));
    EXPECT_EQ(compare_with_text(id_of(longest), longest + '0'), -1);
    EXPECT_EQ(compare_with_text(id_of(longest), longest + "0zzz"), -1);
}

} // namespace
