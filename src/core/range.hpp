// A set of ids that is contiguous in their order, as two texts: an id is in the range if its
// printed form is not below lower and below upper, byte by byte. Texts rather than ids, because not
// every end is an id: "prd_8" is behind all ids of a prefix. Where an end can be an id, it is one,
// so that a partition which ends at this id is seen to hold nothing of the range.
#pragma once

#include "core/text.hpp"

namespace pulid {

struct RangeEnd {
    std::size_t size = 0;
    char bytes[max_text_bytes]{};

    constexpr std::string_view text() const { return {bytes, size}; }

    constexpr void append(std::string_view more)
    {
        for (const char character : more)
            bytes[size++] = character;
    }
};

struct IdRange {
    RangeEnd lower;
    RangeEnd upper;
};

inline constexpr std::string_view first_body = "00000000000000000000000000";

// Sorts behind every id.
inline constexpr std::string_view behind_all_ids = "{";

constexpr IdRange empty_range()
{
    IdRange range;
    range.lower.append(behind_all_ids);
    range.upper.append(behind_all_ids);
    return range;
}

// What every id of a prefix begins with, but for its body.
constexpr void append_prefix(RangeEnd &end, std::string_view prefix)
{
    end.append(prefix);
    if (!prefix.empty())
        end.append("_");
}

// The ids of one prefix: bodies begin with 0 to 7. A malformed prefix has none.
constexpr IdRange range_of_prefix(std::string_view prefix)
{
    if (!is_prefix(prefix))
        return empty_range();
    IdRange range;
    append_prefix(range.lower, prefix);
    range.upper = range.lower;
    range.lower.append(first_body);
    range.upper.append("8");
    return range;
}

// The smallest id that a text begins, if it begins one within the body; otherwise the text.
constexpr RangeEnd smallest_id(const RangeEnd &beginning)
{
    const std::string_view text = beginning.text();
    const std::size_t separator = text.rfind('_');
    const std::size_t body = separator == std::string_view::npos ? 0 : separator + 1;
    if (text.size() - body > body_characters || body > max_prefix_bytes + 1)
        return beginning;
    RangeEnd id = beginning;
    id.append({first_body.data(), body_characters - (text.size() - body)});
    return is_canonical(id.text()) ? id : beginning;
}

// The ids whose printed form begins with a text.
constexpr IdRange range_of_beginning(std::string_view beginning)
{
    if (beginning.size() > max_text_bytes)
        return empty_range();
    for (const char character : beginning)
        if (!is_lower(character) && !is_digit(character) && character != '_')
            return empty_range();
    IdRange range;
    range.lower.append(beginning);
    range.upper = range.lower;
    if (beginning.empty())
        range.upper.append(behind_all_ids);
    else
        range.upper.bytes[range.upper.size - 1]++;
    range.lower = smallest_id(range.lower);
    return range;
}

// The ids of a prefix from one millisecond on up to, but without, another. One beyond the last
// stands for the end of the prefix.
constexpr IdRange range_of_milliseconds(std::string_view prefix, std::uint64_t since,
                                        std::uint64_t until)
{
    if (!is_prefix(prefix) || since > last_millisecond)
        return empty_range();
    IdRange range;
    append_prefix(range.lower, prefix);
    range.upper = range.lower;
    char body[body_characters]{};
    encode_body(first_of_millisecond(since), body);
    range.lower.append({body, body_characters});
    if (until > last_millisecond) {
        range.upper.append("8");
    } else {
        encode_body(first_of_millisecond(until), body);
        range.upper.append({body, body_characters});
    }
    return range;
}

// Where the rest of a text, behind the prefix and its underscore, lies among the bodies: 0 for the
// first, 1 behind the last. For estimates.
constexpr double position_of_body(std::string_view body)
{
    double position = 0;
    double unit = 1.0 / 8;
    for (const char character : body) {
        const auto byte = static_cast<unsigned char>(character);
        // Of the digits that sort before the character; it need not be one itself, as 'l' in the
        // bound that ends what begins with 'k'.
        const std::string_view alphabet = base32_alphabet;
        std::size_t before = 0;
        while (before < alphabet.size() && static_cast<unsigned char>(alphabet[before]) < byte)
            before++;
        position += static_cast<double>(before) * unit;
        if (!is_base32<Case::exact>(character))
            break;
        unit /= 32;
    }
    return position;
}

constexpr double position_of_body(Ulid body) { return static_cast<double>(body.high) / two_to_64; }

} // namespace pulid
