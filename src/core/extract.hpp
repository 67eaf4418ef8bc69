// Ids in the middle of other text, such as a log line.
#pragma once

#include "core/text.hpp"

namespace pulid {

// Walks over a text from id to id. An id is a maximal run of letters, digits and underscores that
// is well-formed as a whole; bytes beyond ASCII end a run as quotes, slashes or brackets do. A bare
// body counts only if it contains a letter: 26 digits are more likely a number.
class Extractor {
  public:
    constexpr explicit Extractor(std::string_view text) : rest_(text) {}

    // The next id. False at the end of the text.
    constexpr bool next(Id &id)
    {
        while (!rest_.empty()) {
            std::size_t length = 0;
            bool letter = false;
            while (length < rest_.size() && is_word(rest_[length]))
                letter |= !is_digit(rest_[length++]);
            const std::string_view word(rest_.data(), length);
            rest_.remove_prefix(length == 0 ? 1 : length);
            if (letter && parse<Case::fold>(word, id))
                return true;
        }
        return false;
    }

  private:
    static constexpr bool is_word(char character)
    {
        return is_lower(character) || is_upper(character) || is_digit(character) ||
               character == '_';
    }

    std::string_view rest_;
};

} // namespace pulid
