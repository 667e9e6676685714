#include "core/compare/verdict.h"
#include "core/kernels/kernel_classes.h"

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr std::size_t maxPerKind = 3; // sentences of one kind
constexpr double manyCalls = 0.1; // of all calls of a step
constexpr std::size_t longestName = 90;

Duration duration(double ns)
{
    return {std::llround(ns)};
}

Name shortened(const std::string& name)
{
    return {name.size() > longestName ? name.substr(0, longestName - 3) + "..." : name};
}

Value countPerStep(const RowFigures& figures)
{
    const double count = figures.countPerStep;
    constexpr double many = 100; // of which a tenth says nothing
    if (count >= many || std::abs(count - std::round(count)) < 0.05)
        return Count{static_cast<std::uint64_t>(std::llround(count))};
    return Number{count, 1};
}

/// "40 → 0.5": counts per step.
Message counts(const CompareRow& row)
{
    return {"compare.counts", "{a} → {b}", {{"a", countPerStep(row.a)}, {"b", countPerStep(row.b)}}};
}

class Story {
public:
    explicit Story(const Comparison& comparison)
        : m_comparison(comparison),
          m_least(
              minChange * static_cast<double>(std::max(comparison.sides.a.mean, comparison.sides.b.mean))),
          m_unit{std::string(keyOf(comparison.unit))}
    {
    }

    std::vector<Message> take() { return std::move(m_lines); }

    void tellKernels()
    {
        forRows("kernels", [&](const CompareRow& row) {
            const Name name = shortened(row.a.count > 0 ? row.a.label : row.b.label);
            if (row.a.count > 0 && row.b.count > 0 && row.a.label != row.b.label)
                m_lines.push_back({"compare.kernel_became",
                    "{class}: {a} became {b}{under, select, yes { (under {path})} other {}}: {times}.",
                    {{"class", classText(row.group)}, {"a", name}, {"b", shortened(row.b.label)},
                        {"under", Name{row.where.empty() ? "no" : "yes"}}, {"path", Name{row.where}},
                        {"times", times(row)}}});
            else
                m_lines.push_back({"compare.kernel",
                    "{change, select, new {Kernel {kernel} is new: {times}.} gone {Kernel {kernel} is gone: {times}.} "
                    "slower {Kernel {kernel} is slower: {a} → {b} each, {times}.} "
                    "faster {Kernel {kernel} is faster: {a} → {b} each, {times}.} "
                    "cut {A range cuts kernel {kernel}: {times}.} "
                    "other {Kernel {kernel} runs {counts} times{unit, select, step { per step} other {}}: {times}.}}",
                    {{"kernel", name}, {"change", Name{std::string(keyOf(row.change))}},
                        {"counts", counts(row)}, {"unit", m_unit}, {"a", duration(row.a.average)},
                        {"b", duration(row.b.average)}, {"times", times(row)}}});
        });
    }

    void tellCopies()
    {
        forRows("copies", [&](const CompareRow& row) {
            if (row.matchedBy == MatchedBy::NameWithoutArguments)
                m_lines.push_back({"compare.copy_became", "{a} became {b}: {times}.",
                    {{"a", Name{row.a.name}}, {"b", Name{row.b.name}}, {"times", times(row)}}});
            else
                m_lines.push_back({"compare.copies", "{copy}: {times} ({counts} copies).",
                    {{"copy", Name{row.a.count > 0 ? row.a.name : row.b.name}}, {"times", times(row)},
                        {"counts", counts(row)}}});
        });
    }

    void tellHost()
    {
        forRows("nvtx", [&](const CompareRow& row) {
            m_lines.push_back({"compare.host_range", "NVTX range {range} on the host: {times}.",
                {{"range", shortened(row.a.count > 0 ? row.a.name : row.b.name)}, {"times", times(row)}}});
        });
    }

    /// Calls that are made more or less often, by number: each costs the host little, all of them a lot.
    void tellCalls()
    {
        const CompareTable* const calls = m_comparison.table("api");
        if (!calls)
            return;
        double a = 0;
        double b = 0;
        std::vector<const CompareRow*> rows;
        for (const CompareRow& row : calls->rows) {
            a += row.a.countPerStep;
            b += row.b.countPerStep;
            rows.push_back(&row);
        }
        const auto change
            = [](const CompareRow* row) { return std::abs(row->b.countPerStep - row->a.countPerStep); };
        std::ranges::stable_sort(rows, std::greater{}, change);
        for (std::size_t i = 0; i < std::min(maxPerKind, rows.size()); ++i) {
            // Recorders differ in which calls they see at all.
            if (!oneRecorder() && rows[i]->matchedBy == MatchedBy::Nothing)
                continue;
            if (change(rows[i]) >= std::max(0.5, manyCalls * std::min(a, b)))
                m_lines.push_back({"compare.calls",
                    "{call} is called {counts} times{unit, select, step { per step} other {}}.",
                    {{"call", Name{rows[i]->a.count > 0 ? rows[i]->a.name : rows[i]->b.name}},
                        {"counts", counts(*rows[i])}, {"unit", m_unit}}});
        }
    }

    /// Parts of the step that one rank alone changed.
    void tellRanks()
    {
        std::size_t told = 0;
        for (const BudgetLine& line : m_comparison.budget) {
            if (told == maxPerKind || std::abs(static_cast<double>(line.delta())) < m_least)
                break;
            if (line.mostGpu < 0)
                continue;
            // Files of A and B differ: the one where the time is.
            const Side most = line.ofMostGpu.a > line.ofMostGpu.b ? Side::A : Side::B;
            m_lines.push_back({"compare.rank", "{part}: mostly on {gpu}, {times}.",
                {{"part", line.title},
                    {"gpu",
                        Name{m_comparison.sides[most].gpus[static_cast<std::size_t>(line.mostGpu)].label}},
                    {"times", times({line.ofMostGpu.a}, {line.ofMostGpu.b})}}});
            ++told;
        }
    }

    void tellFacts()
    {
        for (const CompareFact& fact : m_comparison.facts) {
            if (fact.state == CompareFact::State::Different && !fact.story.empty())
                m_lines.push_back(fact.story);
        }
    }

private:
    Message times(Duration a, Duration b) const
    {
        return {"compare.times", "{a} → {b}{unit, select, step { per step} other {}}",
            {{"a", a}, {"b", b}, {"unit", m_unit}}};
    }
    Message times(const CompareRow& row) const
    {
        return times(duration(row.a.perStep), duration(row.b.perStep));
    }
    bool oneRecorder() const { return !m_comparison.has(CompareCaveat::Recorders); }

    /// Calls `tell` for the rows of a table that are large enough to report, the largest first.
    template <typename Tell> void forRows(std::string_view id, Tell&& tell)
    {
        const CompareTable* const table = m_comparison.table(id);
        if (!table)
            return;
        std::size_t told = 0;
        for (const CompareRow& row : table->rows) {
            if (told == maxPerKind || std::abs(row.delta()) < m_least)
                break;
            if (row.change == RowChange::Same || row.change == RowChange::Varies)
                continue;
            tell(row);
            ++told;
        }
    }

    const Comparison& m_comparison;
    double m_least;
    Name m_unit;
    std::vector<Message> m_lines;
};

} // namespace

std::vector<Message> storyOf(const Comparison& comparison)
{
    Story story(comparison);
    story.tellRanks();
    story.tellKernels();
    story.tellCopies();
    story.tellHost();
    story.tellCalls();
    story.tellFacts();
    return story.take();
}

} // namespace warpline
