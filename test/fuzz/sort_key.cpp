// Sort keys: whatever ids a sort meets, in whatever order, no key contradicts the order of the
// texts. Prefixes are made from the one before, so that few bytes give many neighbours.

#include "core/sort_key.hpp"
#include "fuzz.hpp"

using namespace fuzz;

namespace {

Ulid take_body(Bytes &bytes)
{
    const unsigned kind = bytes.byte();
    switch (kind % 4) {
    case 0:
        return {0, 0};
    case 1:
        return {~std::uint64_t{0}, ~std::uint64_t{0}};
    case 2:
        return {std::uint64_t{1} << (kind / 4), 0};
    default:
        return {bytes.word(), kind};
    }
}

Id take_id(Bytes &bytes, std::string &letters)
{
    const unsigned change = bytes.byte();
    letters.resize(std::min<std::size_t>(letters.size(), change % 16));
    for (unsigned i = 0; i < change / 16; i++)
        letters += bytes.prefix_character();
    letters.resize(std::min(letters.size(), max_prefix_bytes));
    return {prefix_of(letters), take_body(bytes)};
}

} // namespace

FUZZ_TARGET(sort_key)
{
    Bytes bytes(input);
    PrefixLabels labels;
    std::string letters;
    std::vector<std::pair<std::string, std::uint64_t>> keys;
    while (!bytes.empty()) {
        const Id id = take_id(bytes, letters);
        const ExactCopy copy({id.bytes, id.size});
        keys.emplace_back(text_of(id), labels.sort_key({std::string_view(copy).data(), id.size}));
    }
    // Ids met twice may have got a label in between, so equal texts sort by their keys.
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 1; i < keys.size(); i++)
        REQUIRE(keys[i - 1].second <= keys[i].second);
}
