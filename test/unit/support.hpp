// What the unit tests share: ids to and from text, randomness that names its seed when a test
// fails, and CSV files.
#pragma once

#include "reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace pulid {

// GoogleTest finds these by their name and shows a value with them.
inline void PrintTo(const Ulid &ulid, std::ostream *out)
{
    *out << std::hex << ulid.high << ':' << ulid.low << std::dec;
}

inline void PrintTo(const TextProblem &problem, std::ostream *out)
{
    *out << "error " << static_cast<int>(problem.error) << ", number " << problem.number;
}

constexpr bool operator==(const TextProblem &left, const TextProblem &right)
{
    return left.error == right.error && left.number == right.number;
}

} // namespace pulid

namespace support {

using namespace pulid;

// The example of the documentation: prefix, instant and UUID of it are known.
inline constexpr std::string_view example = "prd_01jq3v8f6a7b2c8d9e0f1g2h3j";
inline constexpr std::string_view example_body = "01jq3v8f6a7b2c8d9e0f1g2h3j";
inline constexpr std::string_view example_uuid = "0195c7b4-3cca-3ac4-c435-2e03c3014472";
inline constexpr std::uint64_t example_milliseconds = 0x0195c7b43cca;

inline Id id_of(std::string_view text)
{
    Id id{};
    if (!parse<Case::exact>(ExactCopy(text), id))
        ADD_FAILURE() << "not an id: " << text;
    return id;
}

// For static_assert: the id of a canonical text. Anything else does not compile.
constexpr Id known_id(std::string_view text)
{
    Id id{};
    if (!parse<Case::exact>(text, id))
        throw "not an id";
    return id;
}

constexpr bool prints_as(const Id &id, std::string_view text)
{
    char printed[max_text_bytes]{};
    print(id, printed);
    return std::string_view(printed, id.view().text_size()) == text;
}

// The stored bytes of the body as a UUID's text, in their order in memory.
inline std::string uuid_text(IdView id)
{
    std::string text;
    for (std::size_t i = 0; i < body_bytes; i++) {
        const auto byte = static_cast<unsigned char>(id.bytes[id.size - body_bytes + i]);
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
        if (i == 3 || i == 5 || i == 7 || i == 9)
            text += '-';
    }
    return text;
}

// The same numbers in every run. Where a check fails while one of these lives, its seed is printed.
class Random {
  public:
    explicit Random(std::uint64_t seed)
        : trace_(__FILE__, __LINE__, "random seed " + std::to_string(seed)), engine_(seed)
    {
    }

    std::uint64_t word() { return engine_(); }
    std::size_t below(std::size_t limit) { return static_cast<std::size_t>(engine_() % limit); }
    bool one_in(std::size_t count) { return below(count) == 0; }

    template <class List> const auto &pick(const List &list) { return list[below(list.size())]; }

    // Often an edge, or a close neighbour of other bodies.
    Ulid body()
    {
        switch (below(9)) {
        case 0:
            return {0, 0};
        case 1:
            return {~std::uint64_t{0}, ~std::uint64_t{0}};
        case 2:
            return ulid_of(Bits{1} << below(128));
        case 3:
            return ulid_of(~(Bits{1} << below(128)));
        case 4:
            return {example_milliseconds << 16 | below(4), below(4)};
        case 5: // the bytes of letters: where a body begins is not to be seen from what it holds
            return {0x7171717171717171, 0x7171717171717171};
        case 6:
            return {(example_milliseconds + below(4)) << 16, word()};
        default:
            return {word(), word()};
        }
    }

  private:
    testing::ScopedTrace trace_;
    std::mt19937_64 engine_;
};

// Prefixes that are beginnings of each other, differ late, or end where a key or a modifier does.
inline const std::vector<std::string> &awkward_prefixes()
{
    static const std::vector<std::string> prefixes = [] {
        std::vector<std::string> list = {
            "",       "a",      "a_b",     "a__b",    "a_bc",     "a_____z", "a____z",
            "ab",     "ab_c",   "abc",     "abcd_f",  "abcde",    "abcde_f", "abcde_g",
            "abcdef", "abcdeg", "abcdefg", "abcdefh", "abcdefgh", "b",       "prd",
            "prda",   "prd_a",  "z",       "zz",      "zzzzz",    "zzzzzz",  "zzzzzzz"};
        list.push_back(std::string(62, 'q'));
        list.push_back(std::string(63, 'q'));
        list.push_back(std::string(62, 'q') + "r");
        list.push_back("a" + std::string(61, '_') + "z");
        return list;
    }();
    return prefixes;
}

// Braces, here and in the tests, because they draw from left to right with every compiler.
inline Id random_id(Random &random) { return Id{random.pick(awkward_prefixes()), random.body()}; }

// One map a row, from column to value. The files have no quotes; their lines may end in CR LF.
using Row = std::map<std::string, std::string>;

inline std::vector<std::string> split_at_commas(const std::string &line)
{
    std::vector<std::string> values(1);
    for (const char character : line) {
        if (character == ',')
            values.emplace_back();
        else
            values.back() += character;
    }
    return values;
}

inline bool read_line(std::istream &file, std::string &line)
{
    if (!std::getline(file, line))
        return false;
    if (!line.empty() && line.back() == '\r')
        line.pop_back();
    return true;
}

inline std::vector<Row> read_csv(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    std::string line;
    read_line(file, line);
    const std::vector<std::string> columns = split_at_commas(line);
    std::vector<Row> rows;
    while (read_line(file, line)) {
        const std::vector<std::string> values = split_at_commas(line);
        EXPECT_EQ(values.size(), columns.size()) << path << ": " << line;
        Row row;
        for (std::size_t i = 0; i < std::min(values.size(), columns.size()); i++)
            row[columns[i]] = values[i];
        rows.push_back(row);
    }
    EXPECT_FALSE(rows.empty()) << "no rows in " << path;
    return rows;
}

} // namespace support
