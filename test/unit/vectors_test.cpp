// Ids made elsewhere: the vectors of the TypeID specification, and what the libraries that people
// use printed. TEST_DATA_DIR, the project's test folder, comes from the build.

#include "support.hpp"

using namespace support;

namespace {

const std::string test_folder = TEST_DATA_DIR;

// Each column that the file has and the row fills must agree with what is read here.
void check_row(const Row &row)
{
    const std::string &text = row.at("id");
    SCOPED_TRACE(text);
    Id id;
    ASSERT_TRUE(parse<Case::fold>(ExactCopy(text), id));
    EXPECT_EQ(find_error(text).error, TextError::none);
    EXPECT_EQ(is_canonical(text), text == lower(text));
    EXPECT_EQ(text_of(id), lower(text));
    EXPECT_EQ(id.view().prefix(), row.at("prefix"));
    if (row.count("unix_ms") > 0 && !row.at("unix_ms").empty()) {
        EXPECT_EQ(std::to_string(id.view().body().milliseconds()), row.at("unix_ms"));
    }
    if (!row.at("uuid").empty()) {
        EXPECT_EQ(uuid_text(id), row.at("uuid"));
    }
}

class vectors : public testing::TestWithParam<const char *> {};

TEST_P(vectors, every_row_reads_as_its_library_reads_it)
{
    const std::vector<Row> rows = read_csv(test_folder + "/data/" + GetParam() + ".csv");
    EXPECT_GT(rows.size(), 450U);
    std::size_t readings = 0;
    for (const Row &row : rows) {
        check_row(row);
        readings += !row.at("unix_ms").empty() || !row.at("uuid").empty();
    }
    EXPECT_EQ(readings, rows.size()); // no row is there for its text alone
}

INSTANTIATE_TEST_SUITE_P(libraries, vectors,
                         testing::Values("oklog_go", "python_ulid", "typeid_go", "typeid_js",
                                         "typeid_python", "ulid_js", "ulid_rust", "ulidx_js"),
                         [](const auto &library) { return std::string(library.param); });

TEST(typeid_vectors, valid_ones_are_canonical)
{
    const std::vector<Row> rows = read_csv(test_folder + "/vectors/typeid_valid.csv");
    EXPECT_GE(rows.size(), 9U);
    for (const Row &row : rows) {
        check_row(row);
        EXPECT_TRUE(is_canonical(row.at("id"))) << row.at("name");
    }
}

TEST(typeid_vectors, invalid_ones_are_refused_or_only_fold_their_case)
{
    const std::vector<Row> rows = read_csv(test_folder + "/vectors/typeid_invalid.csv");
    EXPECT_GE(rows.size(), 21U);
    for (const Row &row : rows) {
        const std::string &text = row.at("id");
        SCOPED_TRACE(row.at("name"));
        const bool folds = row.at("input_function") == "folds";
        Id id;
        EXPECT_FALSE(parse<Case::exact>(ExactCopy(text), id));
        EXPECT_EQ(parse<Case::fold>(ExactCopy(text), id), folds);
        if (folds) {
            EXPECT_EQ(text_of(id), lower(text));
        }
        EXPECT_EQ(find_error(text).error == TextError::none, folds);
        EXPECT_EQ(is_canonical(text), row.at("is_canonical") == "true");
    }
}

} // namespace
