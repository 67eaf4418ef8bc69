// Ids in the middle of other text.

#include "core/extract.hpp"
#include "fuzz.hpp"

using namespace fuzz;

FUZZ_TARGET(extract)
{
    constexpr std::string_view words = "abcdefghijklmnopqrstuvwxyz0123456789_";
    Extractor extractor(input);
    const std::string folded = lower(input);
    for (std::size_t end = 0; end < folded.size();) {
        const std::size_t begin = std::min(folded.find_first_of(words, end), folded.size());
        end = std::min(folded.find_first_not_of(words, begin), folded.size());
        const std::string run = folded.substr(begin, end - begin);
        const auto expected = reference_read(run, Case::exact);
        if (!expected || run.find_first_not_of("0123456789") == std::string::npos)
            continue;
        Id id;
        REQUIRE(extractor.next(id));
        REQUIRE(text_of(id) == *expected);
    }
    Id id;
    REQUIRE(!extractor.next(id));
    REQUIRE(!extractor.next(id));
}
