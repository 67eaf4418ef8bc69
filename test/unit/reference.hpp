// What the unit tests and the fuzz targets share, without GoogleTest: a reference of the format
// that is written another way than the source.
#pragma once

#include "core/text.hpp"

#include <optional>
#include <string>
#include <vector>

namespace support {

using namespace pulid;

// A copy that is exactly as large as its content, so that the address sanitizer sees every read
// that goes beyond. A std::string is no such thing: a zero byte and spare room lie behind its text.
class ExactCopy {
  public:
    explicit ExactCopy(std::string_view text) : bytes_(text.begin(), text.end()) {}
    operator std::string_view() const { return {bytes_.data(), bytes_.size()}; }

  private:
    std::vector<char> bytes_;
};

inline std::string text_of(IdView id)
{
    std::vector<char> text(id.text_size(), '?'); // for the same reason no std::string
    print(id, text.data());
    return {text.begin(), text.end()};
}

inline std::string lower(std::string_view text)
{
    std::string result(text);
    for (char &character : result)
        if (character >= 'A' && character <= 'Z')
            character = static_cast<char>(character + 32);
    return result;
}

inline std::string upper(std::string_view text)
{
    std::string result(text);
    for (char &character : result)
        if (character >= 'a' && character <= 'z')
            character = static_cast<char>(character - 32);
    return result;
}

// The canonical text that a text stands for, by the words of the contract.
inline std::optional<std::string> reference_read(std::string_view text, Case letters)
{
    const std::string read = letters == Case::fold ? lower(text) : std::string(text);
    std::string body = read;
    if (const std::size_t underscore = read.rfind('_'); underscore != std::string::npos) {
        const std::string prefix = read.substr(0, underscore);
        body = read.substr(underscore + 1);
        if (prefix.empty() || prefix.size() > 63 || prefix[0] == '_' || prefix.back() == '_' ||
            prefix.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != std::string::npos)
            return std::nullopt;
    }
    if (body.size() != 26 || body[0] < '0' || body[0] > '7' ||
        body.find_first_not_of("0123456789abcdefghjkmnpqrstvwxyz") != std::string::npos)
        return std::nullopt;
    return read;
}

// 128 bits as one number; not every machine's compiler has such a type.
class Bits {
  public:
    constexpr Bits(std::uint64_t value) : low_(value) {}
    constexpr Bits(std::uint64_t high, std::uint64_t low) : high_(high), low_(low) {}

    constexpr std::uint64_t high() const { return high_; }
    constexpr std::uint64_t low() const { return low_; }

    friend constexpr auto operator<=>(const Bits &, const Bits &) = default;

    friend constexpr Bits operator~(Bits bits) { return {~bits.high_, ~bits.low_}; }
    friend constexpr Bits operator&(Bits left, Bits right)
    {
        return {left.high_ & right.high_, left.low_ & right.low_};
    }
    friend constexpr Bits operator<<(Bits bits, std::size_t count)
    {
        for (; count > 0; count--)
            bits = {(bits.high_ << 1) | (bits.low_ >> 63), bits.low_ << 1};
        return bits;
    }
    friend constexpr Bits operator>>(Bits bits, std::size_t count)
    {
        for (; count > 0; count--)
            bits = {bits.high_ >> 1, (bits.high_ << 63) | (bits.low_ >> 1)};
        return bits;
    }
    friend constexpr Bits operator+(Bits left, Bits right)
    {
        const std::uint64_t low = left.low_ + right.low_;
        return {left.high_ + right.high_ + (low < left.low_ ? 1 : 0), low};
    }
    friend constexpr Bits operator-(Bits left, Bits right) { return left + ~right + 1; }
    friend constexpr Bits operator*(Bits left, Bits right)
    {
        Bits product = 0;
        for (; right > 0; left = left << 1, right = right >> 1)
            if (right.low_ & 1)
                product = product + left;
        return product;
    }

  private:
    std::uint64_t high_ = 0;
    std::uint64_t low_;
};

constexpr Bits bits_of(Ulid ulid) { return {ulid.high, ulid.low}; }

constexpr Ulid ulid_of(Bits bits) { return {bits.high(), bits.low()}; }

} // namespace support
