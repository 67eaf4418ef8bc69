// Digit ids, for people to read aloud: ACC-4821-0937.
//
//     id      := prefix ( "-" group ){1,9}
//     prefix  := [A-Z]{3}
//     group   := [0-9]{4}
//
// The digits encode nothing. How many there are is up to the column, 4 to 36.
#pragma once

#include "core/tidy.hpp"

namespace pulid {

inline constexpr std::size_t digit_prefix_bytes = 3;
inline constexpr int group_digits = 4;
inline constexpr unsigned group_values = 10'000;
inline constexpr int max_digits = 36;
inline constexpr std::size_t group_bytes = 1 + group_digits; // with its hyphen
inline constexpr std::size_t max_digit_id_bytes =
    digit_prefix_bytes + max_digits / group_digits * group_bytes;

constexpr bool is_digit_prefix(std::string_view prefix)
{
    return prefix.size() == digit_prefix_bytes && is_upper(prefix[0]) && is_upper(prefix[1]) &&
           is_upper(prefix[2]);
}

constexpr bool is_digit_count(int digits)
{
    return digits > 0 && digits <= max_digits && digits % group_digits == 0;
}

// Built from the left, so it is well-formed as soon as it has one group.
class DigitId {
  public:
    // The prefix must be one.
    constexpr explicit DigitId(std::string_view prefix) : size_(digit_prefix_bytes)
    {
        std::char_traits<char>::copy(text_, prefix.data(), digit_prefix_bytes);
    }

    // The group is below group_values, and there is room: digits() < max_digits.
    constexpr void append(unsigned group)
    {
        text_[size_] = '-';
        for (std::size_t i = group_bytes - 1; i > 0; i--, group /= 10)
            text_[size_ + i] = static_cast<char>('0' + group % 10);
        size_ += group_bytes;
    }

    constexpr int digits() const
    {
        return static_cast<int>((size_ - digit_prefix_bytes) / group_bytes) * group_digits;
    }

    constexpr std::string_view view() const { return {text_, size_}; }
    constexpr std::string_view prefix() const { return {text_, digit_prefix_bytes}; }

  private:
    char text_[max_digit_id_bytes]{};
    std::size_t size_;
};

// Turns random bits into a group, each equally likely. False if the bits are to be thrown away and
// drawn afresh: that, and not a remainder, keeps small numbers from being more frequent.
constexpr bool group_from(std::uint64_t random, unsigned &group)
{
    constexpr unsigned fourteen_bits = 16'383; // the fewest that hold a group
    group = static_cast<unsigned>(random) & fourteen_bits;
    return group < group_values;
}

constexpr bool is_digit_id(std::string_view text, std::string_view prefix, int digits)
{
    if (!is_digit_prefix(prefix) || !is_digit_count(digits) ||
        text.size() !=
            digit_prefix_bytes + static_cast<std::size_t>(digits / group_digits) * group_bytes ||
        text.substr(0, digit_prefix_bytes) != prefix)
        return false;
    for (std::size_t i = digit_prefix_bytes; i < text.size(); i++) {
        const bool starts_group = (i - digit_prefix_bytes) % group_bytes == 0;
        if (starts_group ? text[i] != '-' : !is_digit(text[i]))
            return false;
    }
    return true;
}

namespace detail {

constexpr bool tidy_group(Typed &typed, unsigned &group)
{
    group = 0;
    for (int i = 0; i < group_digits; i++) {
        typed.skip_blanks();
        const char digit = typed.next();
        if (!is_digit(digit))
            return false;
        group = group * 10 + static_cast<unsigned>(digit - '0');
    }
    return true;
}

} // namespace detail

// What a person typed: case, white space and hyphens are forgiven, also missing ones. Digits are
// not: one too many or too few is hopeless. False, and an unspecified id, in that case.
constexpr bool tidy_digit_id(std::string_view text, DigitId &id)
{
    detail::Typed typed{text};
    char prefix[digit_prefix_bytes];
    for (char &letter : prefix) {
        typed.skip_blanks();
        letter = typed.next();
        if (!is_lower(letter))
            return false;
        letter = static_cast<char>(letter - 'a' + 'A');
    }
    id = DigitId({prefix, digit_prefix_bytes});
    typed.skip_blanks();
    while (!typed.at_end()) {
        unsigned group = 0;
        if (id.digits() == max_digits || !detail::tidy_group(typed, group))
            return false;
        id.append(group);
        typed.skip_blanks();
    }
    return id.digits() > 0;
}

// The fewest digits at which, with ten times so many rows in the table, an insert meets an id that
// is taken less often than once in 10,000 times:  10 rows / 10^digits < 1 / 10^4.
// The number of rows is not negative; the largest needs 24 digits.
constexpr int digits_for(std::int64_t rows)
{
    if (rows == 0)
        return group_digits;
    int digits = 2 * group_digits;
    // 10^(digits - 5), which for 4 digits would be less than one row.
    for (std::uint64_t limit = 1000; static_cast<std::uint64_t>(rows) >= limit;
         limit *= group_values)
        digits += group_digits;
    return digits;
}

} // namespace pulid
