// Digit ids: a number of digits, prefix/text.

#include "core/digit_id.hpp"
#include "fuzz.hpp"

using namespace fuzz;

namespace {

bool are(std::string_view text, char first, char last)
{
    return std::all_of(text.begin(), text.end(),
                       [=](char character) { return character >= first && character <= last; });
}

bool reference_is_digit_id(const std::string &text, const std::string &prefix, int digits)
{
    if (prefix.size() != 3 || !are(prefix, 'A', 'Z') || text.substr(0, 3) != prefix)
        return false;
    int groups = 0;
    for (std::size_t i = 3; i < text.size(); i += 5, groups++)
        if (text[i] != '-' || text.size() < i + 5 || !are(text.substr(i + 1, 4), '0', '9'))
            return false;
    return groups >= 1 && groups <= 9 && groups * 4 == digits;
}

std::optional<std::string> reference_tidy(const std::string &text)
{
    std::string id = upper(without_blanks(text));
    const std::size_t digits = id.size() - 3;
    if (id.size() < 7 || digits % 4 != 0 || digits > 36 || !are(id.substr(0, 3), 'A', 'Z') ||
        !are(id.substr(3), '0', '9'))
        return std::nullopt;
    for (std::size_t i = 3; i < id.size(); i += 5)
        id.insert(i, 1, '-');
    return id;
}

} // namespace

FUZZ_TARGET(digit_id)
{
    Bytes bytes(input);
    const int digits = static_cast<int>(bytes.byte()) - 4;
    const auto [prefix, text] = split(bytes.rest());
    REQUIRE(is_digit_prefix(prefix) == (prefix.size() == 3 && are(prefix, 'A', 'Z')));
    REQUIRE(is_digit_id(ExactCopy(text), ExactCopy(prefix), digits) ==
            reference_is_digit_id(text, prefix, digits));

    DigitId id("AAA");
    const auto expected = reference_tidy(text);
    REQUIRE(tidy_digit_id(ExactCopy(text), id) == expected.has_value());
    if (expected) {
        REQUIRE(id.view() == *expected);
        REQUIRE(is_digit_id(id.view(), id.prefix(), id.digits()));
    }

    const auto rows = static_cast<std::int64_t>(bytes.word() >> 1);
    const int enough = digits_for(rows);
    REQUIRE(is_digit_count(enough) && enough <= 24);
    REQUIRE(rows == 0 || digits_for(rows - 1) <= enough);
}
