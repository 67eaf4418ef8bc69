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

// The share that a sorted list of ids has before a position in the bodies of a prefix. Between two
// of them it is interpolated: ids are spread over a short time evenly enough.
class Histogram {
  public:
    Histogram(const Datum *values, int count, std::string_view prefix)
        : values_(values), first_(0), last_(count)
    {
        while (first_ < last_ && id(first_).prefix() != prefix)
            first_++;
        while (last_ > first_ && id(last_ - 1).prefix() != prefix)
            last_--;
    }

    int bins() const { return last_ - first_ - 1; }

    double share_before(double position) const
    {
        int below = first_;
        int above = last_ - 1;
        if (position <= at(below))
            return 0;
        if (position >= at(above))
            return 1;
        while (above - below > 1) {
            const int middle = below + (above - below) / 2;
            if (at(middle) <= position)
                below = middle;
            else
                above = middle;
        }
        const double inside = (position - at(below)) / (at(above) - at(below));
        return (below - first_ + inside) / bins();
    }

  private:
    IdView id(int i) const { return id_from_datum(values_[i]); }
    double at(int i) const { return position_of_body(id(i).body()); }

    const Datum *values_;
    int first_;
    int last_;
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
    }

    // Not a destructor, for the reason that core's code has none.
    void release()
    {
        free_attstatsslot(&prefixes_);
        free_attstatsslot(&common_);
        free_attstatsslot(&histogram_);
    }

    double null_share() const { return null_share_; }

    double share_of(const Bound &range) const
    {
        double share = 0;
        double listed = 0;
        for (int i = 0; i < prefixes_.nvalues; i++) {
            const double share_of_prefix = prefixes_.numbers[i];
            const std::string_view prefix = view_of(DatumGetTextPP(prefixes_.values[i]));
            listed += share_of_prefix;
            share += share_of_section(section_of(range, prefix), share_of_prefix);
        }
        if (prefixes_.nvalues == 0) // only NULLs, or statistics that are not of our making
            return DEFAULT_RANGE_INEQ_SEL * (1 - null_share_);
        if (share > 0)
            return share;
        // Of prefixes that are not listed, none is more frequent than the last that is.
        const double least = prefixes_.numbers[prefixes_.nvalues - 1];
        return Min(Max(1 - null_share_ - listed, 0.0), least);
    }

  private:
    static constexpr int both = ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS;
    // For part of a prefix so rare that the histogram has no bin of it.
    static constexpr double share_of_unknown_part = 0.1;

    double share_of_section(const Section &section, double share_of_prefix) const
    {
        if (section.begin >= section.end)
            return 0;
        if (section.is_whole())
            return share_of_prefix;
        double common_share = 0;
        double inside_share = 0;
        for (int i = 0; i < common_.nvalues; i++) {
            const IdView id = id_from_datum(common_.values[i]);
            if (id.prefix() != section.prefix)
                continue;
            common_share += common_.numbers[i];
            const double position = position_of_body(id.body());
            if (position >= section.begin && position < section.end)
                inside_share += common_.numbers[i];
        }
        const double rest = Max(share_of_prefix - common_share, 0.0);
        const Histogram histogram(histogram_.values, histogram_.nvalues, section.prefix);
        const double part = histogram.bins() < 1 ? share_of_unknown_part
                                                 : histogram.share_before(section.end) -
                                                       histogram.share_before(section.begin);
        return inside_share + rest * part;
    }

    double null_share_ = 0;
    AttStatsSlot prefixes_;
    AttStatsSlot common_;
    AttStatsSlot histogram_;
};

// How a condition compares the id with the bound.
enum class Side { below, above };

double condition_share(double range_share, double null_share, BoundEnd end, Side side)
{
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
    if (IsA(other, Const)) {
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
