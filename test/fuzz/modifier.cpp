// Type modifiers: four bytes are a code, what follows are two prefixes.

#include "core/modifier.hpp"
#include "fuzz.hpp"

using namespace fuzz;

namespace {

constexpr std::string_view digits("\0_abcdefghijklmnopqrstuvwxyz", 28);

void check_code(std::int32_t code)
{
    std::string text;
    for (std::int32_t rest = code, i = 0; i < 6; i++, rest /= 28)
        text.insert(text.begin(), rest < 0 ? '\0' : digits[static_cast<std::size_t>(rest % 28)]);
    while (!text.empty() && text.back() == '\0')
        text.pop_back();
    const bool known = code >= 0 && code < 481890304 && is_prefix(text);
    const ModifierPrefix unpacked = unpack_modifier(code);
    REQUIRE(unpacked.known == known);
    REQUIRE(unpacked.size <= 6);
    if (known) {
        REQUIRE(unpacked.prefix() == text);
        REQUIRE(pack_modifier(ExactCopy(text)) == code);
        REQUIRE(modifier_admits(code, ExactCopy(text)));
    }
}

} // namespace

FUZZ_TARGET(modifier)
{
    Bytes bytes(input);
    const auto code = static_cast<std::int32_t>(static_cast<std::uint32_t>(bytes.word() >> 32));
    check_code(code);

    const auto [left, right] = split(input.substr(std::min<std::size_t>(input.size(), 8)));
    if (!is_prefix(left))
        return;
    REQUIRE(!modifier_admits(code, ExactCopy(left)) || unpack_modifier(code).prefix() == left);
    if (left.size() > 6)
        return;
    const std::int32_t packed = pack_modifier(ExactCopy(left));
    check_code(packed);
    REQUIRE(unpack_modifier(packed).prefix() == left);
    if (is_prefix(right)) {
        REQUIRE(modifier_admits(packed, ExactCopy(right)) == (left == right));
        if (right.size() <= 6)
            REQUIRE((packed < pack_modifier(ExactCopy(right))) == (left < right));
    }
}
