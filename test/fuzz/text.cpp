// Reading and printing: any text is read as the reference reads it, and what is refused is refused
// for a reason that is true.

#include "fuzz.hpp"

using namespace fuzz;

namespace {

template <Case letters> void check_reading(std::string_view text)
{
    const std::optional<std::string> expected = reference_read(text, letters);
    Id id;
    REQUIRE(parse<letters>(text, id) == expected.has_value());
    if (!expected)
        return;
    REQUIRE(text_of(id) == *expected);
    Id again;
    REQUIRE(parse<Case::exact>(ExactCopy(*expected), again));
    REQUIRE(equal(id, again) && compare(id, again) == 0);
    REQUIRE(compare_with_text(id, ExactCopy(*expected)) == 0);
}

bool is_letter(char character)
{
    return lower({&character, 1}) >= "a" && lower({&character, 1}) <= "z";
}

void check_reason(std::string_view text, TextProblem problem)
{
    const std::size_t underscore = text.rfind('_');
    const std::size_t body = underscore == std::string_view::npos ? 0 : underscore + 1;
    switch (problem.error) {
    case TextError::none:
        REQUIRE(reference_read(text, Case::fold));
        return;
    case TextError::empty:
        REQUIRE(text.empty());
        return;
    case TextError::body_length:
        REQUIRE(problem.number == text.size() - body && problem.number != body_characters);
        return;
    case TextError::prefix_empty:
        REQUIRE(underscore == 0);
        return;
    case TextError::prefix_length:
        REQUIRE(problem.number == underscore && underscore > max_prefix_bytes);
        return;
    default:
        break;
    }
    // What remains is about one character, and counting bytes is counting characters up to there.
    REQUIRE(problem.number < text.size());
    for (std::size_t i = 0; i < problem.number; i++)
        REQUIRE(static_cast<unsigned char>(text[i]) < 128);
    const char character = text[problem.number];
    const bool in_body = problem.number >= body;
    switch (problem.error) {
    case TextError::body_character:
        REQUIRE(in_body &&
                !reference_read("0" + lower({&character, 1}) + std::string(24, '0'), Case::exact));
        break;
    case TextError::body_overflow:
        REQUIRE(problem.number == body && character > '7');
        break;
    case TextError::prefix_character:
        REQUIRE(!in_body && !is_letter(character) && character != '_');
        break;
    default:
        REQUIRE(problem.error == TextError::prefix_edge && !in_body && character == '_');
        REQUIRE(problem.number == 0 || problem.number + 1 == underscore);
    }
}

void check_prefix(std::string_view text)
{
    const bool is_one =
        text.empty() || (text.size() <= 63 && text.front() != '_' && text.back() != '_' &&
                         text.find_first_not_of("_abcdefghijklmnopqrstuvwxyz") == text.npos);
    REQUIRE(is_prefix(text) == is_one);
    REQUIRE((find_prefix_error(text, Case::exact).error == TextError::none) == is_one);
}

} // namespace

FUZZ_TARGET(text)
{
    check_reading<Case::exact>(input);
    check_reading<Case::fold>(input);
    REQUIRE(is_canonical(input) == reference_read(input, Case::exact).has_value());
    const TextProblem problem = find_error(input);
    REQUIRE((problem.error == TextError::none) == reference_read(input, Case::fold).has_value());
    check_reason(input, problem);
    check_prefix(input);
}
