// Row estimates for conditions on bounds (pg/bound.hpp). The planner estimates "id >= lower AND id
// < upper" as the product of its parts; core's estimators pair the parts, but cannot place a value
// of this type between two values of the histogram, and take any range that fits there for empty. A
// bound knows its whole range. So one condition of each pair is estimated as the range, the other
// as 1, and likewise where NOT has turned them round: one as all but the range, the other as
// nothing.

#include "pg/bound.hpp"
#include "pg/datum.hpp"
#include "pg/statistics.hpp"

using namespace pulid;

namespace {

// A prefix and where in its bodies a range begins and ends, 0 to 1.
struct Section {
    std::string_view prefix;
    double begin;
    double end;

    bool is_whole() const { return begin <= 0 && end >= 1; }
};

// Where a bound cuts the bodies of a prefix.
double cut(std::string_view bound, std::string_view prefix)
{
    RangeEnd beginning;
    append_prefix(beginning, prefix);
    const std::string_view common = beginning.text();
    if (!bound.starts_with(common))
        return bound < common ? 0 : 1;
    bound.remove_prefix(common.size());
    return position_of_body(bound);
}

Section section_of(const Bound &range, std::string_view prefix)
{
    return {prefix, cut(range.lower, prefix), cut(range.upper, prefix)};
}

// What is known of the ids of one prefix: how many of all rows they are, where their bodies begin
// and end, and the values of the histogram that are among them. In between they are taken to be
// evenly spread: over the short time between two values of the histogram, ids are.
class PrefixDistribution {
  public:
    // bin is the share of rows between two values of the histogram.
    PrefixDistribution(std::string_view prefix, const float4 *numbers,
                       const AttStatsSlot &histogram, double bin)
        : share_(numbers[share_of_rows]), first_(numbers[first_position]),
          last_(numbers[last_position]), bin_(bin), values_(histogram.values), begin_(0),
          end_(histogram.nvalues)
    {
        while (begin_ < end_ && id_from_datum(values_[begin_]).prefix() != prefix)
            begin_++;
        while (end_ > begin_ && id_from_datum(values_[end_ - 1]).prefix() != prefix)
            end_--;
    }

    // The share of rows whose id has this prefix and a body before the position.
    double share_before(double position) const
    {
        if (end_ == begin_)
            return interpolate(position, first_, last_, 0, share_);
        // What is before the first and behind the last value, in proportion to the time it takes.
        const double edges = Max(share_ - (end_ - begin_ - 1) * bin_, 0.0);
        const double before_first = Max(at(begin_) - first_, 0.0);
        const double behind_last = Max(last_ - at(end_ - 1), 0.0);
        const double edge_length = before_first + behind_last;
        const double head = edge_length > 0 ? edges * before_first / edge_length : 0;
        if (position <= at(begin_))
            return interpolate(position, first_, at(begin_), 0, head);
        if (position >= at(end_ - 1))
            return interpolate(position, at(end_ - 1), Max(last_, at(end_ - 1)),
                               share_ - (edges - head), share_);
        int below = begin_;
        int above = end_ - 1;
        while (above - below > 1) {
            const int middle = below + (above - below) / 2;
            if (at(middle) <= position)
                below = middle;
            else
                above = middle;
        }
        return interpolate(position, at(below), at(above), head + (below - begin_) * bin_,
                           head + (above - begin_) * bin_);
    }

  private:
    double at(int i) const { return position_of_body(id_from_datum(values_[i]).body()); }

    static double interpolate(double position, double from, double to, double at_from, double at_to)
    {
        if (position <= from)
            return at_from;
        if (position >= to)
            return at_to;
        return at_from + (at_to - at_from) * (position - from) / (to - from);
    }

    double share_;
    double first_;
    double last_;
    double bin_;
    const Datum *values_;
    int begin_;
    int end_;
};

class ColumnStatistics {
  public:
    explicit ColumnStatistics(HeapTuple tuple)
    {
        null_share_ = reinterpret_cast<Form_pg_statistic>(GETSTRUCT(tuple))->stanullfrac;
        get_attstatsslot(&prefixes_, tuple, prefix_statistics_kind, InvalidOid, both);
        get_attstatsslot(&common_, tuple, STATISTIC_KIND_MCV, InvalidOid, both);
        get_attstatsslot(&histogram_, tuple, STATISTIC_KIND_HISTOGRAM, InvalidOid,
                         ATTSTATSSLOT_VALUES);
        double common_share = 0;
        for (int i = 0; i < common_.nvalues; i++)
            common_share += common_.numbers[i];
        if (histogram_.nvalues > 1)
            bin_ = Max(1 - null_share_ - common_share, 0.0) / (histogram_.nvalues - 1);
    }

    // Not a destructor: none may be pending while PostgreSQL can jump out of us.
    void release()
    {
        free_attstatsslot(&prefixes_);
        free_attstatsslot(&common_);
        free_attstatsslot(&histogram_);
    }

    double null_share() const { return null_share_; }

    double share_of(const Bound &range) const
    {
        // Only NULLs, or statistics that are not of our making.
        if (prefixes_.nvalues == 0 || prefixes_.valuetype != TEXTOID ||
            prefixes_.nnumbers != prefixes_.nvalues * numbers_of_prefix)
            return DEFAULT_RANGE_INEQ_SEL * (1 - null_share_);
        double share = 0;
        double listed = 0;
        double least = 1;
        const auto count = static_cast<std::size_t>(prefixes_.nvalues);
        for (std::size_t i = 0; i < count; i++) {
            const float4 *numbers = prefixes_.numbers + i * numbers_of_prefix;
            const std::string_view prefix = view_of(DatumGetTextPP(prefixes_.values[i]));
            share += share_of_section(section_of(range, prefix), numbers);
            listed += numbers[share_of_rows];
            least = Min(least, numbers[share_of_rows]);
        }
        if (share > 0)
            return share;
        // Of prefixes that are not listed, none is more frequent than the last that is.
        return Min(Max(1 - null_share_ - listed, 0.0), least);
    }

  private:
    static constexpr int both = ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS;

    double share_of_section(const Section &section, const float4 *numbers) const
    {
        if (section.begin >= section.end)
            return 0;
        if (section.is_whole())
            return numbers[share_of_rows];
        double common_share = 0; // of this prefix, in the section or not
        double share = 0;
        for (int i = 0; i < common_.nvalues; i++) {
            const IdView id = id_from_datum(common_.values[i]);
            if (id.prefix() != section.prefix)
                continue;
            common_share += common_.numbers[i];
            const double position = position_of_body(id.body());
            if (position >= section.begin && position < section.end)
                share += common_.numbers[i];
        }
        float4 others[numbers_of_prefix];
        std::memcpy(others, numbers, sizeof others);
        others[share_of_rows] -= static_cast<float4>(common_share);
        if (others[share_of_rows] <= 0)
            return share;
        const PrefixDistribution distribution(section.prefix, others, histogram_, bin_);
        return share + Max(distribution.share_before(section.end) -
                               distribution.share_before(section.begin),
                           0.0);
    }

    double null_share_ = 0;
    double bin_ = 0;
    AttStatsSlot prefixes_;
    AttStatsSlot common_;
    AttStatsSlot histogram_;
};

// How a condition compares the id with the bound.
enum class Side { below, above };

double condition_share(double range_share, double null_share, BoundEnd end, Side side)
{
    if (end == BoundEnd::alone) // its range is what is not below it
        return side == Side::above ? range_share : Max(1 - null_share - range_share, 0.0);
    const bool range_itself = (end == BoundEnd::lower) == (side == Side::above);
    if (end == BoundEnd::lower)
        return range_itself ? range_share : Max(1 - null_share - range_share, 0.0);
    return range_itself ? 1 : 0;
}

double estimate(FunctionCallInfo fcinfo, Side side)
{
    auto *root = reinterpret_cast<PlannerInfo *>(PG_GETARG_POINTER(0));
    auto *arguments = reinterpret_cast<List *>(PG_GETARG_POINTER(2));
    VariableStatData column;
    Node *other = nullptr;
    bool column_is_left = false;
    if (!get_restriction_variable(root, arguments, PG_GETARG_INT32(3), &column, &other,
                                  &column_is_left))
        return DEFAULT_INEQ_SEL;
    if (!column_is_left)
        side = side == Side::below ? Side::above : Side::below;

    double share = DEFAULT_RANGE_INEQ_SEL;
    double null_share = 0;
    auto end = side == Side::above ? BoundEnd::lower : BoundEnd::upper; // if the bound is not known
    // Anyone may name this estimator for an operator of theirs, on other types.
    if (IsA(other, Const) && reinterpret_cast<Const *>(other)->consttype == bound_type()) {
        const auto *constant = reinterpret_cast<Const *>(other);
        if (constant->constisnull) { // and no row is found
            ReleaseVariableStats(column);
            return 0;
        }
        const Bound bound = bound_from_datum(constant->constvalue);
        end = bound.end;
        if (HeapTupleIsValid(column.statsTuple)) {
            ColumnStatistics statistics(column.statsTuple);
            share = statistics.share_of(bound);
            null_share = statistics.null_share();
            statistics.release();
        }
    }
    ReleaseVariableStats(column);
    return condition_share(share, null_share, end, side);
}

float8 probability(double value)
{
    CLAMP_PROBABILITY(value);
    return value;
}

} // namespace

PULID_FUNCTION(pulid_below_bound_sel)
{
    PG_RETURN_FLOAT8(probability(estimate(fcinfo, Side::below)));
}

PULID_FUNCTION(pulid_above_bound_sel)
{
    PG_RETURN_FLOAT8(probability(estimate(fcinfo, Side::above)));
}
