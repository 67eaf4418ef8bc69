// What a person typed, with and without a prefix that is told: prefix/text.

#include "core/tidy.hpp"
#include "fuzz.hpp"

using namespace fuzz;

namespace {

std::optional<std::string> reference_body(std::string_view text)
{
    std::string body = lower(without_blanks(text));
    for (char &character : body) {
        if (character == 'i' || character == 'l')
            character = '1';
        else if (character == 'o')
            character = '0';
    }
    return body.size() == 26 ? reference_read(body, Case::exact) : std::nullopt;
}

std::optional<std::string> reference_tidy(std::string_view text)
{
    const std::size_t underscore = text.rfind('_');
    if (underscore == std::string_view::npos)
        return reference_body(text);
    std::string prefix = lower(text.substr(0, underscore));
    while (!prefix.empty() && is_blank(prefix.front()))
        prefix.erase(0, 1);
    while (!prefix.empty() && is_blank(prefix.back()))
        prefix.pop_back();
    const auto body = reference_body(text.substr(underscore + 1));
    return body ? reference_read(prefix + '_' + *body, Case::exact) : std::nullopt;
}

// The letters, each with the number of underscores before it; a NUL stands for the end.
std::vector<std::pair<char, int>> letters_of(std::string_view text)
{
    std::vector<std::pair<char, int>> letters = {{'\0', 0}};
    for (const char character : text) {
        if (character == '_') {
            letters.back().second++;
        } else {
            letters.back().first = character;
            letters.emplace_back('\0', 0);
        }
    }
    return letters;
}

// Whether nothing but underscores is missing from a typed prefix and its separator.
bool matches(std::string_view typed, const std::string &prefix)
{
    const auto found = letters_of(typed);
    const auto wanted = letters_of(prefix.empty() ? prefix : prefix + '_');
    return std::equal(found.begin(), found.end(), wanted.begin(), wanted.end(),
                      [](const auto &left, const auto &right) {
                          return left.first == right.first && left.second <= right.second;
                      });
}

std::optional<std::string> reference_tidy(std::string_view text, const std::string &prefix)
{
    if (const auto read = reference_tidy(text)) {
        const std::size_t separator = read->size() - 26;
        const std::string own = separator == 0 ? "" : read->substr(0, separator - 1);
        return own == prefix ? read : std::nullopt;
    }
    const std::string typed = lower(without_blanks(text));
    if (typed.size() < 26)
        return std::nullopt;
    const auto body = reference_body(typed.substr(typed.size() - 26));
    if (!body || !matches(std::string_view(typed).substr(0, typed.size() - 26), prefix))
        return std::nullopt;
    return prefix.empty() ? *body : prefix + '_' + *body;
}

} // namespace

FUZZ_TARGET(tidy)
{
    const auto [prefix, text] = split(input);
    const ExactCopy copy(text);
    Id id;
    const auto expected = reference_tidy(text);
    REQUIRE(tidy(copy, id) == expected.has_value());
    if (expected)
        REQUIRE(text_of(id) == *expected);
    if (const auto read = reference_read(text, Case::fold)) // tidying changes no id
        REQUIRE(expected == read);

    if (!is_prefix(prefix))
        return;
    const auto expected_with_prefix = reference_tidy(text, prefix);
    REQUIRE(tidy_with_prefix(copy, ExactCopy(prefix), id) == expected_with_prefix.has_value());
    if (expected_with_prefix)
        REQUIRE(text_of(id) == *expected_with_prefix);
}
