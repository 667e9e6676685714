#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/compare/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr std::size_t maxPerKind = 3; // sentences of one kind
constexpr double manyCalls = 0.1; // of all calls of a step
constexpr std::size_t longestName = 90;

std::string duration(double ns)
{
    return roundedDuration(std::llround(ns));
}

std::string shortened(const std::string& name)
{
    return name.size() > longestName ? name.substr(0, longestName - 3) + "..." : name;
}

/// "40 to 0.5": counts a step.
std::string counts(const CompareRow& row)
{
    const auto text = [](double count) {
        const bool whole = std::abs(count - std::round(count)) < 0.05;
        return whole ? formatCount(static_cast<std::uint64_t>(std::llround(count))) : formatReal(count, 1);
    };
    return text(row.a.countPerStep) + " to " + text(row.b.countPerStep);
}

class Story {
public:
    explicit Story(const Comparison& comparison)
        : m_comparison(comparison),
          m_least(
              minChange * static_cast<double>(std::max(comparison.sides.a.mean, comparison.sides.b.mean))),
          m_step(comparison.unit == CompareUnit::Step ? " per step" : "")
    {
    }

    std::vector<std::string> take() { return std::move(m_lines); }

    void tellKernels()
    {
        forRows("kernels", [&](const CompareRow& row) {
            const std::string times
                = fmt::format("{} → {}{}", duration(row.a.perStep), duration(row.b.perStep), m_step);
            const std::string name = shortened(row.a.count > 0 ? row.a.label : row.b.label);
            if (row.a.count > 0 && row.b.count > 0 && row.a.label != row.b.label)
                m_lines.push_back(fmt::format("{}: {} became {}{}: {}.", row.group, name,
                    shortened(row.b.label), row.where.empty() ? "" : " (under " + row.where + ")", times));
            else if (row.change == RowChange::New || row.change == RowChange::Gone)
                m_lines.push_back(fmt::format("Kernel {} is {}: {}.", name, keyOf(row.change), times));
            else if (row.change == RowChange::MoreCalls || row.change == RowChange::FewerCalls)
                m_lines.push_back(
                    fmt::format("Kernel {} runs {} times{}: {}.", name, counts(row), m_step, times));
            else
                m_lines.push_back(fmt::format("Kernel {} is {}: {} → {} each, {}.", name, keyOf(row.change),
                    duration(row.a.average), duration(row.b.average), times));
        });
    }

    void tellCopies()
    {
        forRows("copies", [&](const CompareRow& row) {
            const std::string times
                = fmt::format("{} → {}{}", duration(row.a.perStep), duration(row.b.perStep), m_step);
            if (row.matchedBy == MatchedBy::NameWithoutArguments)
                m_lines.push_back(fmt::format("{} became {}: {}.", row.a.name, row.b.name, times));
            else
                m_lines.push_back(fmt::format(
                    "{}: {} ({} copies).", row.a.count > 0 ? row.a.name : row.b.name, times, counts(row)));
        });
    }

    void tellHost()
    {
        forRows("nvtx", [&](const CompareRow& row) {
            m_lines.push_back(fmt::format("NVTX range {} on the host: {} → {}{}.",
                shortened(row.a.count > 0 ? row.a.name : row.b.name), duration(row.a.perStep),
                duration(row.b.perStep), m_step));
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
                m_lines.push_back(fmt::format("{} is called {} times{}.",
                    rows[i]->a.count > 0 ? rows[i]->a.name : rows[i]->b.name, counts(*rows[i]), m_step));
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
            m_lines.push_back(fmt::format("{}: mostly on {}, {} → {}{}.", line.title,
                m_comparison.sides.b.gpus[static_cast<std::size_t>(line.mostGpu)].label,
                roundedDuration(line.ofMostGpu.a), roundedDuration(line.ofMostGpu.b), m_step));
            ++told;
        }
    }

    void tellFacts()
    {
        for (const CompareFact& fact : m_comparison.facts) {
            if (fact.state != CompareFact::State::Different)
                continue;
            if (fact.id == "streams")
                m_lines.push_back(fmt::format("Kernels run in {} {} in A, in {} in B.", fact.a,
                    fact.a == "1" ? "stream" : "streams", fact.b));
            if (fact.id == "pace")
                m_lines.push_back(fmt::format(
                    "Unchanged compute kernels (same name and shape): {}× the time in B.", fact.b));
        }
    }

private:
    bool oneRecorder() const { return !m_comparison.has(CompareCaveat::Recorders); }

    /// The rows of a table that are worth saying, the largest first.
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
    std::string m_step;
    std::vector<std::string> m_lines;
};

} // namespace

std::vector<std::string> storyOf(const Comparison& comparison)
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
