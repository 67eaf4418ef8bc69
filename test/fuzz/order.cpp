// Order: two ids and a text compare as their texts do, and so do the ranges, spans and distances
// that are built on that order.

#include "core/id_span.hpp"
#include "core/range.hpp"
#include "fuzz.hpp"

using namespace fuzz;

namespace {

Id take_id(Bytes &bytes)
{
    std::string letters(bytes.byte() % 64, '_');
    for (char &letter : letters)
        letter = bytes.prefix_character();
    const std::uint64_t high = bytes.word();
    return {prefix_of(letters), {high, bytes.word()}};
}

int sign_of(int value) { return (value > 0) - (value < 0); }

bool is_within(const IdRange &range, IdView id)
{
    return compare_with_text(id, range.lower.text()) >= 0 &&
           compare_with_text(id, range.upper.text()) < 0;
}

void check_ranges(IdView id, IdView other, std::string_view text)
{
    REQUIRE(starts_with(id, text) == (text_of(id).substr(0, text.size()) == text));
    REQUIRE(is_within(range_of_beginning(text), id) == starts_with(id, text));
    REQUIRE(is_within(range_of_prefix(other.prefix()), id) == (id.prefix() == other.prefix()));
    REQUIRE(is_within(range_of_prefix(text), id) == (id.prefix() == text));
    const std::uint64_t instant = id.body().milliseconds();
    const std::uint64_t since = other.body().milliseconds();
    const std::uint64_t until = other.body().low >> 15; // also behind the last one
    REQUIRE(is_within(range_of_milliseconds(other.prefix(), since, until), id) ==
            (id.prefix() == other.prefix() && instant >= since && instant < until));
    const double position = position_of_body(text);
    REQUIRE(position >= 0 && position <= 33);
}

void check_span(IdView lower, IdView upper, IdView id)
{
    const IdSpan span(lower, upper);
    std::vector<char> stored(span.stored_size());
    store_span(span, stored.data());
    const IdSpan loaded = load_span({stored.data(), stored.size()});
    REQUIRE(equal(loaded.lower, lower) && equal(loaded.upper, upper));
    const std::string text = text_of(id);
    const bool inside = text_of(lower) <= text && text <= text_of(upper);
    REQUIRE(contains(span, id) == inside && contains(loaded, id) == inside);
    REQUIRE((growth(span, id) == 0) == inside);
    REQUIRE(growth(span, id) >= 0);
    for (const Comparison comparison :
         {Comparison::equal, Comparison::not_equal, Comparison::less, Comparison::less_or_equal,
          Comparison::greater, Comparison::greater_or_equal})
        REQUIRE(can_match(loaded, comparison, id) == can_match(span, comparison, id));
    REQUIRE(contains(widened(span, id), id));
}

} // namespace

FUZZ_TARGET(order)
{
    Bytes bytes(input);
    const Id left_id = take_id(bytes);
    const Id right_id = take_id(bytes);
    const ExactCopy left_bytes({left_id.bytes, left_id.size});
    const ExactCopy right_bytes({right_id.bytes, right_id.size});
    const IdView left{std::string_view(left_bytes).data(), left_id.size};
    const IdView right{std::string_view(right_bytes).data(), right_id.size};
    const std::string left_text = text_of(left);
    const std::string right_text = text_of(right);

    const int order = sign_of(left_text.compare(right_text));
    REQUIRE(compare(left, right) == order && compare(right, left) == -order);
    REQUIRE(equal(left, right) == (order == 0));
    REQUIRE(compare_with_text(left, ExactCopy(right_text)) == order);
    REQUIRE(compare_with_text(left, bytes.rest()) ==
            sign_of(std::string_view(left_text).compare(bytes.rest())));
    check_ranges(left, right, bytes.rest());
    check_ranges(left, right, left_text.substr(0, bytes.rest().size()));

    const IdView lower = order <= 0 ? left : right;
    const IdView upper = order <= 0 ? right : left;
    REQUIRE(distance(lower, upper) >= 0);
    check_span(lower, upper, left);
    check_span(left, left, right);
    check_span(right, right, left);
}
