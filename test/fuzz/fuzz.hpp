// A fuzz target takes any bytes and throws where the core contradicts itself or a reference. Built
// with libFuzzer (scripts/fuzz) it is asked for as many inputs as there is time; in the unit tests
// it replays the files in test/fuzz/corpus, one test each.
#pragma once

#include "reference.hpp"

#include <algorithm>
#include <stdexcept>

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition))                                                                          \
            throw std::logic_error(std::string(__FILE__) + ':' + std::to_string(__LINE__) + ": " + \
                                   #condition);                                                    \
    } while (0)

#ifdef WITH_LIBFUZZER

#define FUZZ_TARGET(name)                                                                          \
    static void run_##name(std::string_view input);                                                \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t size)             \
    {                                                                                              \
        run_##name({reinterpret_cast<const char *>(bytes), size});                                 \
        return 0;                                                                                  \
    }                                                                                              \
    static void run_##name(std::string_view input)

#else

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace fuzz {

inline std::vector<std::string> corpus(const char *target)
{
    std::vector<std::string> files;
    const auto folder = std::filesystem::path(TEST_DATA_DIR) / "fuzz/corpus" / target;
    for (const auto &file : std::filesystem::directory_iterator(folder))
        files.push_back(file.path().string());
    if (files.empty())
        throw std::logic_error("nothing to replay in " + folder.string());
    std::sort(files.begin(), files.end());
    return files;
}

inline std::string content(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace fuzz

#define FUZZ_TARGET(name)                                                                          \
    static void run_##name(std::string_view input);                                                \
    namespace {                                                                                    \
    class fuzz_##name : public testing::TestWithParam<std::string> {};                             \
    TEST_P(fuzz_##name, replays) { run_##name(support::ExactCopy(fuzz::content(GetParam()))); }    \
    INSTANTIATE_TEST_SUITE_P(corpus, fuzz_##name, testing::ValuesIn(fuzz::corpus(#name)),          \
                             [](const auto &file) {                                                \
                                 return std::filesystem::path(file.param).filename().string();     \
                             });                                                                   \
    }                                                                                              \
    static void run_##name(std::string_view input)

#endif

namespace fuzz {

using namespace support;

// An input as a list of numbers; zeroes behind its end.
class Bytes {
  public:
    explicit Bytes(std::string_view input) : rest_(input) {}

    bool empty() const { return rest_.empty(); }
    std::string_view rest() const { return rest_; }

    unsigned byte()
    {
        if (rest_.empty())
            return 0;
        const auto value = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        return value;
    }

    std::uint64_t word()
    {
        std::uint64_t value = 0;
        for (int i = 0; i < 8; i++)
            value = (value << 8) | byte();
        return value;
    }

    char prefix_character() { return "_abcdefghijklmnopqrstuvwxyz"[byte() % 27]; }

  private:
    std::string_view rest_;
};

// A prefix out of any letters and underscores.
inline std::string prefix_of(std::string letters)
{
    letters.resize(std::min(letters.size(), max_prefix_bytes));
    if (!letters.empty() && letters.front() == '_')
        letters.front() = 'a';
    if (!letters.empty() && letters.back() == '_')
        letters.back() = 'z';
    return letters;
}

inline bool is_blank(char character)
{
    return std::string_view(" -\t\n\v\f\r").find(character) != std::string_view::npos;
}

inline std::string without_blanks(std::string_view text)
{
    std::string result;
    for (const char character : text)
        if (!is_blank(character))
            result += character;
    return result;
}

// The two parts of an input, before and behind its first slash.
inline std::pair<std::string, std::string> split(std::string_view input)
{
    const std::size_t slash = std::min(input.find('/'), input.size());
    return {std::string(input.substr(0, slash)),
            std::string(input.substr(std::min(slash + 1, input.size())))};
}

} // namespace fuzz
