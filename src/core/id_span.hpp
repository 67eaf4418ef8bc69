// A span of ids, from one to another, both included: what a GiST index knows of the ids below one
// of its entries. Stored, it is one of
//
//     [ id: 16 to 79 bytes ]                                   where both ends are the same id
//     [ size of the lower id: 1 byte ][ lower id ][ upper id ]
//
// A stored id of more than 16 bytes begins with a letter. A stored span has more than 16 bytes and
// begins with one that is below every letter, so the two are told apart. The form is unique: equal
// spans have equal bytes.
#pragma once

#include "core/distance.hpp"

#include <limits>

namespace pulid {

static_assert(max_stored_bytes < 'a');

// The numbers are those that PostgreSQL has for such operators in GiST (access/stratnum.h).
enum class Comparison : std::uint16_t {
    equal = 18,
    not_equal = 19,
    less = 20,
    less_or_equal = 21,
    greater = 22,
    greater_or_equal = 23,
};

struct IdSpan {
    IdView lower;
    IdView upper;

    constexpr IdSpan() = default;
    constexpr IdSpan(IdView id) : lower(id), upper(id) {}
    constexpr IdSpan(IdView first, IdView last) : lower(first), upper(last) {}

    constexpr std::size_t stored_size() const
    {
        return equal(lower, upper) ? lower.size : 1 + lower.size + upper.size;
    }
};

// Points into the bytes.
constexpr IdSpan load_span(std::string_view stored)
{
    if (stored.size() == body_bytes || stored.front() >= 'a')
        return IdView{stored.data(), stored.size()};
    const auto lower_size = static_cast<std::size_t>(stored.front());
    const char *lower = stored.data() + 1;
    return {{lower, lower_size}, {lower + lower_size, stored.size() - 1 - lower_size}};
}

// Writes stored_size() bytes.
constexpr void store_span(const IdSpan &span, char *bytes)
{
    using traits = std::char_traits<char>;
    if (equal(span.lower, span.upper)) {
        traits::copy(bytes, span.lower.bytes, span.lower.size);
        return;
    }
    bytes[0] = static_cast<char>(span.lower.size);
    traits::copy(bytes + 1, span.lower.bytes, span.lower.size);
    traits::copy(bytes + 1 + span.lower.size, span.upper.bytes, span.upper.size);
}

// By the lower end, then by the upper one.
constexpr bool operator<(const IdSpan &left, const IdSpan &right)
{
    const int lower = compare(left.lower, right.lower);
    return lower != 0 ? lower < 0 : compare(left.upper, right.upper) < 0;
}

// On a leaf page nearly every id is another one, and its random end tells at once.
constexpr bool contains(const IdSpan &span, IdView id)
{
    if (span.lower.bytes == span.upper.bytes)
        return span.lower.body().low == id.body().low && equal(span.lower, id);
    return compare(span.lower, id) <= 0 && compare(id, span.upper) <= 0;
}

// Whether an id anywhere in the span can compare like this with the given one. For a span of one
// id that is whether this id does.
constexpr bool can_match(const IdSpan &span, Comparison comparison, IdView id)
{
    switch (comparison) {
    case Comparison::equal:
        return contains(span, id);
    case Comparison::not_equal:
        return !equal(span.lower, id) || !equal(span.upper, id);
    case Comparison::less:
        return compare(span.lower, id) < 0;
    case Comparison::less_or_equal:
        return compare(span.lower, id) <= 0;
    case Comparison::greater:
        return compare(span.upper, id) > 0;
    case Comparison::greater_or_equal:
        return compare(span.upper, id) >= 0;
    }
    return false;
}

// The smallest span that holds both. Points to what they point to.
constexpr IdSpan widened(const IdSpan &span, const IdSpan &added)
{
    return {compare(added.lower, span.lower) < 0 ? added.lower : span.lower,
            compare(added.upper, span.upper) > 0 ? added.upper : span.upper};
}

// By how much a span has to grow to hold another one: 0 if it does, else more than 0. Growing
// within a prefix costs less than 1, each step to another prefix about 1. As a float, which is
// what GiST compares, this keeps the distance of neighbours in one prefix down to the last bit, but
// says nothing of bodies beside the distance of prefixes.
constexpr float growth(const IdSpan &span, const IdSpan &added)
{
    const bool below = compare(added.lower, span.lower) < 0;
    const bool above = compare(added.upper, span.upper) > 0;
    if (!below && !above)
        return 0;
    const double bodies = (below ? distance(added.lower, span.lower) : 0) +
                          (above ? distance(span.upper, added.upper) : 0);
    const auto cost = static_cast<float>(bodies / bodies_of_a_prefix);
    constexpr float least = std::numeric_limits<float>::denorm_min();
    return cost > least ? cost : least;
}

// An entry of a page that is split, by the number it has there.
struct PageEntry {
    IdSpan span;
    std::uint16_t number;
};

// How many of the entries, sorted by their spans, shall stay on the left when a page is split:
// half of them, unless the page overflowed because of ids that come in the order of time, one
// prefix or several at once. Then the newest entry is the last of its prefix, what follows will be
// inserted behind it, and a left half would stay half empty for ever; so it gets nine tenths, or
// what reaches up to a change of prefix. There are at least two entries; newest is 0 if none is the
// newest.
constexpr std::size_t split_position(const PageEntry *sorted, std::size_t count,
                                     std::uint16_t newest)
{
    const auto prefix_changes = [=](std::size_t position) {
        return sorted[position - 1].span.upper.prefix() != sorted[position].span.lower.prefix();
    };
    std::size_t position = 0;
    while (position < count && sorted[position].number != newest)
        position++;
    if (position == count || (position + 1 < count && !prefix_changes(position + 1)))
        return count / 2;
    const std::size_t most = count * 9 / 10;
    for (position = most; position > count / 10; position--)
        if (prefix_changes(position))
            return position;
    return most;
}

} // namespace pulid
