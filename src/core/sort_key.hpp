// A 64-bit key for sorting, an order-preserving truncation of the id:
//
//     label     8 bits    stands for the prefix
//     body     56 bits    the leading bits of the body, see leading_bits()
//
// A plain truncation would be nearly constant in a column with one prefix. So the prefixes of a
// sort are learned as they come: each new one gets a label between those of its neighbours, as
// near to its place between them as the letters tell, so that room is left for others. Where none
// is left, an id gets the label of the prefix below with all bits of the body set.
//
// Why the order holds: labels rise with the prefixes that have them and never change. Under one
// label the key is a truncation of the body. What lies between two prefixes and has no label sorts
// behind all of the lower one. A prefix is known by its first eight letters; one of exactly eight
// comes before the longer ones that begin with it, and these again have all bits set, so that
// "abcdefgh_7..." does not pass "abcdefghi_0...". Equal keys decide nothing: compare() does.
#pragma once

#include "core/id.hpp"
#include "core/modifier.hpp"

#include <algorithm>

namespace pulid {

// The first eight letters as a number, zeroes behind the end: in the order of the prefixes.
constexpr std::uint64_t prefix_word(IdView id)
{
    // There are 16 bytes of body behind the prefix.
    const std::uint64_t word = load_big_endian(id.bytes);
    const std::size_t size = id.size - body_bytes;
    return size < 8 ? word & ~(~std::uint64_t{0} >> (8 * size)) : word;
}

// 56 bits of the upper half. Until the year 2109 the first six bits of the clock are zero, so they
// are left out and three bits more at the other end are told apart, down to the whole fraction of
// the millisecond that generators write.
constexpr std::uint64_t leading_bits(std::uint64_t high)
{
    return high >> 58 == 0 ? high >> 3 : (std::uint64_t{1} << 55) | (high >> 9);
}

// Begins with the label 0 for bare ULIDs, below which there is nothing.
class PrefixLabels {
  public:
    constexpr std::uint64_t sort_key(IdView id)
    {
        const std::uint64_t word = prefix_word(id);
        if (word != words_[last_])
            find(word);
        const bool labelled = word == words_[last_] && id.size <= 8 + body_bytes;
        const std::uint64_t bits = labelled ? leading_bits(id.body().high) : ~std::uint64_t{0} >> 8;
        return (std::uint64_t{labels_[last_]} << 56) | bits;
    }

  private:
    static constexpr std::size_t most = 256;

    // A measure of where among all prefixes one stands: 5 bits for each of its letters.
    static constexpr std::uint64_t place(std::uint64_t word)
    {
        std::uint64_t place = 0;
        for (unsigned shift = 64; shift > 0; shift -= 8) {
            const auto letter = static_cast<char>((word >> (shift - 8)) & 0xff);
            place = (place << 5) | (letter == '\0' ? 0U : prefix_character_code(letter));
        }
        return place;
    }

    // Makes last_ the prefix, labelled if there is room, or else the one below it. Out of line, so
    // that sort_key() stays short.
    [[gnu::noinline]] constexpr void find(std::uint64_t word)
    {
        const auto *above = std::upper_bound(words_, words_ + count_, word);
        last_ = static_cast<std::size_t>(above - words_) - 1;
        if (words_[last_] != word)
            insert(last_ + 1, word);
    }

    constexpr void insert(std::size_t above, std::uint64_t word)
    {
        const std::uint64_t lower_label = labels_[above - 1];
        const std::uint64_t upper_label = above < count_ ? labels_[above] : most;
        const std::uint64_t free_labels = upper_label - lower_label - 1;
        if (free_labels == 0)
            return;
        const std::uint64_t lower = place(words_[above - 1]);
        const std::uint64_t upper = above < count_ ? place(words_[above]) : std::uint64_t{28} << 35;
        const std::uint64_t label =
            lower_label + 1 + free_labels * (place(word) - lower) / (upper - lower);
        std::copy_backward(words_ + above, words_ + count_, words_ + count_ + 1);
        std::copy_backward(labels_ + above, labels_ + count_, labels_ + count_ + 1);
        count_++;
        words_[above] = word;
        labels_[above] = static_cast<std::uint8_t>(label);
        last_ = above;
    }

    std::size_t count_ = 1;
    std::size_t last_ = 0;
    std::uint64_t words_[most] = {};
    std::uint8_t labels_[most] = {};
};

} // namespace pulid
