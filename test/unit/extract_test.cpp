// Ids inside other text: where a run begins and ends, and which runs are ids.

#include "core/extract.hpp"
#include "support.hpp"

using namespace support;

namespace {

constexpr int count_ids(std::string_view text)
{
    Extractor extractor(text);
    Id id{};
    int count = 0;
    while (extractor.next(id))
        count++;
    return count;
}

static_assert(count_ids("") == 0);
static_assert(count_ids("GET /v1/prd_01jq3v8f6a7b2c8d9e0f1g2h3j?x=01jq3v8f6a7b2c8d9e0f1g2h3j") ==
              2);
static_assert(count_ids("00000000000000000000000000 a_00000000000000000000000000") == 1);

using Texts = std::vector<std::string>;

Texts found(std::string_view text)
{
    const ExactCopy copy(text);
    Extractor extractor{copy};
    Texts ids;
    Id id;
    while (extractor.next(id))
        ids.push_back(text_of(id));
    EXPECT_FALSE(extractor.next(id)) << "goes on after the end";
    return ids;
}

const std::string one(example);
const std::string bare(example_body);

TEST(extract, finds_nothing_in_texts_without_ids)
{
    for (const std::string &text :
         {std::string(), std::string(" "), std::string("no id in here_"), std::string(1000, '_'),
          std::string(1 << 20, 'a'), std::string(1 << 20, ' '), std::string(example_uuid)})
        EXPECT_EQ(found(text), Texts{}) << text.substr(0, 80);
}

TEST(extract, an_id_may_be_the_whole_text_its_beginning_or_its_end)
{
    EXPECT_EQ(found(one), Texts{one});
    EXPECT_EQ(found(bare), Texts{bare});
    EXPECT_EQ(found(one + " was sold"), Texts{one});
    EXPECT_EQ(found("sold: " + one), Texts{one});
    EXPECT_EQ(found(" " + one + " "), Texts{one});
}

TEST(extract, every_byte_but_letters_digits_and_underscores_is_a_boundary)
{
    for (int byte = 0; byte < 256; byte++) {
        const std::string edge(1, static_cast<char>(byte));
        const bool word = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                          (byte >= 'A' && byte <= 'Z') || byte == '_';
        const Texts behind = word ? Texts{} : Texts{one};
        EXPECT_EQ(found(one + edge), behind) << byte;
        EXPECT_EQ(found(edge + bare + edge), word ? Texts{} : Texts{bare}) << byte;
        EXPECT_EQ(found(one + edge + bare), word ? Texts{} : (Texts{one, bare})) << byte;
    }
}

TEST(extract, reads_the_places_where_ids_stand)
{
    EXPECT_EQ(found("https://shop.example/p/" + one + "/edit?parent=" + bare + "#x"),
              (Texts{one, bare}));
    EXPECT_EQ(found("{\"id\":\"" + one + "\",\"ids\":['" + bare + "'," + one + "]}"),
              (Texts{one, bare, one}));
    EXPECT_EQ(found("caf\xc3\xa9" + one + "\xc3\xa9"), Texts{one});
    EXPECT_EQ(found(one + "," + one + "\n" + bare + "\r\n" + std::string(1, '\0') + one),
              (Texts{one, one, bare, one}));
    EXPECT_EQ(found("(a_b_" + bare + ")<" + bare + ">"), (Texts{"a_b_" + bare, bare}));
}

TEST(extract, folds_upper_case)
{
    EXPECT_EQ(found("ID=" + upper(one) + ";" + upper(bare)), (Texts{one, bare}));
}

TEST(extract, only_whole_runs_are_ids)
{
    EXPECT_EQ(found(one + "_" + bare), Texts{});
    EXPECT_EQ(found(one + bare), Texts{});
    EXPECT_EQ(found(one + "_" + one), Texts{});
    EXPECT_EQ(found("_" + one), Texts{});
    EXPECT_EQ(found("_" + bare), Texts{});
    EXPECT_EQ(found(one + "_"), Texts{});
    EXPECT_EQ(found("x" + bare), Texts{});
    EXPECT_EQ(found(bare + "0"), Texts{});
    EXPECT_EQ(found("x_" + one), Texts{"x_" + one}); // the prefix is x_prd
    EXPECT_EQ(found("1_" + one), Texts{});
    EXPECT_EQ(found("prd_" + bare.substr(1)), Texts{});
    EXPECT_EQ(found("prd_i" + bare.substr(1)), Texts{}); // no alias is forgiven
    EXPECT_EQ(found("prd_8" + bare.substr(1)), Texts{});
}

TEST(extract, a_bare_body_of_digits_alone_is_a_number)
{
    const std::string number(26, '1');
    EXPECT_EQ(found(number), Texts{});
    EXPECT_EQ(found("n=" + number + ";"), Texts{});
    EXPECT_EQ(found("a_" + number), Texts{"a_" + number});
    EXPECT_EQ(found(number.substr(1) + "a"), Texts{number.substr(1) + "a"});
    EXPECT_EQ(found(number.substr(1) + "A"), Texts{number.substr(1) + "a"});
    EXPECT_EQ(found("0a" + number.substr(2)), Texts{"0a" + number.substr(2)});
    EXPECT_EQ(found(number + " " + bare + " " + number), Texts{bare}); // each run by itself
    EXPECT_EQ(found(bare + " " + number), Texts{bare});
}

TEST(extract, finds_what_a_reference_finds_in_random_text)
{
    Random random(1001);
    constexpr std::string_view between("  \"'/[]=,:-._a0\xc3\n", 17);
    for (int i = 0; i < 5000; i++) {
        std::string text;
        for (std::size_t count = random.below(6); count > 0; count--) {
            const std::string printed = text_of(random_id(random));
            text += random.one_in(4) ? upper(printed) : printed;
            for (std::size_t noise = random.below(3); noise > 0; noise--)
                text += random.pick(between);
        }
        Texts expected;
        std::string run;
        for (const char character : text + ' ') {
            const bool word = std::string_view("abcdefghijklmnopqrstuvwxyz0123456789_")
                                  .find(lower({&character, 1})) != std::string_view::npos;
            if (word) {
                run += character;
                continue;
            }
            const auto read = reference_read(run, Case::fold);
            if (read && run.find_first_not_of("0123456789") != std::string::npos)
                expected.push_back(*read);
            run.clear();
        }
        ASSERT_EQ(found(text), expected) << testing::PrintToString(text);
    }
}

} // namespace
