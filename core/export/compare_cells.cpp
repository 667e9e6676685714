#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/export/compare_text.h"
#include "core/kernels/kernel_classes.h"
#include "core/render/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace warpline {

namespace {

Cell rounded(double value)
{
    return static_cast<std::int64_t>(std::llround(value));
}

/// "name -> other name" where they differ.
std::string nameText(const CompareRow& row)
{
    const std::string a = toUtf8(row.a.label) + (row.a.shape.empty() ? "" : " " + row.a.shape);
    const std::string b = toUtf8(row.b.label) + (row.b.shape.empty() ? "" : " " + row.b.shape);
    if (row.a.count == 0)
        return b;
    return row.b.count == 0 || a == b ? a : a + " -> " + b;
}

/// Bytes are larger and smaller, not slower and faster.
std::string changeText(RowChange change, bool bytes)
{
    if (bytes && (change == RowChange::Slower || change == RowChange::Faster))
        return change == RowChange::Slower ? "larger" : "smaller";
    std::string text(keyOf(change));
    std::ranges::replace(text, '_', ' ');
    return text;
}

/// Columns for kernel class and kind of match, where rows differ in them.
struct RowColumns {
    bool group = false;
    bool matched = false;
};

RowColumns columnsOf(const CompareTable& table)
{
    RowColumns columns;
    for (const CompareRow& row : table.rows) {
        columns.group = columns.group || !row.group.empty();
        columns.matched = columns.matched
            || (row.matchedBy != MatchedBy::Name && row.matchedBy != MatchedBy::Nothing
                && row.matchedBy != MatchedBy::Order);
    }
    return columns;
}

} // namespace

std::span<const std::string_view> compareSections()
{
    static constexpr std::array<std::string_view, 10> sections{"budget", "kernels", "operators", "nvtx",
        "api", "copies", "collectives", "memory", "steps", "findings"};
    return sections;
}

bool CompareText::has(std::string_view section) const
{
    return sections.empty() || std::ranges::find(sections, section) != sections.end();
}

Cells factCells(const Comparison& comparison)
{
    Cells cells;
    cells.columns = {{"Fact", Unit::Text}, {"A", Unit::Text}, {"B", Unit::Text}, {"", Unit::Text}};
    for (const CompareFact& fact : comparison.facts) {
        std::string state(keyOf(fact.state));
        std::ranges::replace(state, '_', ' ');
        if (fact.state == CompareFact::State::NotKnown && fact.a.empty() && fact.b.empty())
            continue;
        cells.addRow({plain(fact.title), toUtf8(plain(fact.a)),
            fact.a == fact.b ? std::string("=") : toUtf8(plain(fact.b)),
            fact.reason.empty() ? state : "not comparable"});
    }
    return cells;
}

Cells stepFigureCells(const Comparison& comparison)
{
    const ComparedSide& a = comparison.sides.a;
    const ComparedSide& b = comparison.sides.b;
    Cells cells;
    cells.columns = {{"Statistic", Unit::Text}, {"A (ns)", Unit::Nanoseconds}, {"B (ns)", Unit::Nanoseconds},
        {"Difference (ns)", Unit::Nanoseconds}, {"Change (%)", Unit::Real},
        {"Noise (ns)", Unit::Nanoseconds}};
    const auto noiseCell = [](Ns noise) { return noise >= 0 ? Cell(noise) : Cell(); };
    const auto decided = [&](CompareFigure figure) {
        return plain({"compare.step_figure",
            "{figure, select, median {Median step} other {Mean step}}{decides, select, yes { (decides)} other {}}",
            {{"figure", Name{std::string(keyOf(figure))}},
                {"decides", yesOrNo(comparison.decidedBy == figure)}}});
    };
    cells.addRow({decided(CompareFigure::Median), a.median, b.median, comparison.delta,
        100 * comparison.relative(), noiseCell(comparison.noise)});
    cells.addRow({decided(CompareFigure::Mean), rounded(a.mean), rounded(b.mean), comparison.wholeMeanDelta(),
        100 * comparison.meanRelative(), noiseCell(comparison.meanNoise)});
    cells.addRow({plain({"compare.total", "Total"}), a.total, b.total, b.total - a.total, Cell(), Cell()});
    return cells;
}

Cells budgetCells(const Comparison& comparison)
{
    Cells cells;
    cells.columns = {{"Part", Unit::Text}, {"A (ns)", Unit::Nanoseconds}, {"B (ns)", Unit::Nanoseconds},
        {"Difference (ns)", Unit::Nanoseconds}};
    Both<Ns> sum;
    for (const BudgetLine& line : comparison.budget) {
        cells.addRow({toUtf8(plain(line.title)), line.time.a, line.time.b, line.delta()});
        sum.a += line.time.a;
        sum.b += line.time.b;
    }
    cells.addRow({plain({"compare.together", "Together"}), sum.a, sum.b, sum.b - sum.a});
    return cells;
}

namespace {

void addWorkCells(const CompareRow& row, std::vector<Cell>& line)
{
    for (const RowFigures* const figures : {&row.a, &row.b})
        line.push_back(figures->count > 0 ? rounded(figures->average) : Cell());
    for (const RowFigures* const figures : {&row.a, &row.b})
        line.push_back(positiveCell(figures->flopsPerSecond() / 1e12));
    for (const RowFigures* const figures : {&row.a, &row.b})
        line.push_back(positiveCell(figures->bytesPerSecond() / 1e12));
    for (const RowFigures* const figures : {&row.a, &row.b})
        line.push_back(positiveCell(figures->rooflineShare() * 100));
}

} // namespace

Cells rowCells(const CompareTable& table, std::size_t most)
{
    const RowColumns has = columnsOf(table);
    const Unit unit = table.bytes ? Unit::Bytes : Unit::Nanoseconds;
    Cells cells;
    cells.columns = {{"Change", Unit::Text}, {table.bytes ? "A (B)" : "A (ns)", unit},
        {table.bytes ? "B (B)" : "B (ns)", unit}, {table.bytes ? "Difference (B)" : "Difference (ns)", unit},
        {"A Count", Unit::Real}, {"B Count", Unit::Real}};
    if (table.isWork) {
        for (const Column& each : {Column{"A Call (ns)", Unit::Nanoseconds},
                 Column{"B Call (ns)", Unit::Nanoseconds}, Column{"A TFLOP/s", Unit::Rate},
                 Column{"B TFLOP/s", Unit::Rate}, Column{"A TB/s", Unit::Rate}, Column{"B TB/s", Unit::Rate},
                 Column{"A Roofline (%)", Unit::Real}, Column{"B Roofline (%)", Unit::Real}})
            cells.columns.push_back(each);
    }
    if (has.matched)
        cells.columns.push_back({"Matched by", Unit::Text});
    if (has.group)
        cells.columns.push_back({"Class", Unit::Text});
    cells.columns.push_back({"Name", Unit::Text});
    for (std::size_t i = 0; i < std::min(most, table.rows.size()); ++i) {
        const CompareRow& row = table.rows[i];
        std::vector<Cell> line{changeText(row.change, table.bytes), rounded(row.a.perStep),
            rounded(row.b.perStep), rounded(row.delta()), row.a.countPerStep, row.b.countPerStep};
        if (table.isWork)
            addWorkCells(row, line);
        if (has.matched)
            line.emplace_back(plain(labelOf(row.matchedBy)));
        if (has.group)
            line.emplace_back(plain(classText(row.group)));
        line.emplace_back(nameText(row));
        cells.addRow(std::move(line));
    }
    return cells;
}

Cells findingCells(const Comparison& comparison)
{
    Cells cells;
    cells.columns = {{"Change", Unit::Text}, {"A Saving (ns)", Unit::Nanoseconds},
        {"B Saving (ns)", Unit::Nanoseconds}, {"Finding", Unit::Text}};
    for (const FindingChange& change : comparison.findings) {
        if (change.state == FindingState::Same || std::max(change.saving.a, change.saving.b) <= 0)
            continue; // changes without a saving are not reported
        const auto saving
            = [&](Side side) { return change.title[side].empty() ? Cell() : rounded(change.saving[side]); };
        cells.addRow({std::string(keyOf(change.state)), saving(Side::A), saving(Side::B),
            toUtf8(plain(change.title.b.empty() ? change.title.a : change.title.b))});
    }
    return cells;
}

Message matchedSentence(const Comparison& comparison)
{
    const MatchedShares& shares = comparison.matched;
    Message stages;
    for (std::size_t by = 1; by < matchedByCount; ++by) {
        const Both<double>& share = shares.by[by];
        if (share.a <= 0 && share.b <= 0)
            continue;
        Message stage("compare.matched_stage", "{by} {a} and {b}",
            {{"by", labelOf(static_cast<MatchedBy>(by))}, {"a", Share{share.a}}, {"b", Share{share.b}}});
        stages = stages.empty()
            ? stage
            : Message("compare.matched_stages", "{stages}; {stage}", {{"stages", stages}, {"stage", stage}});
    }
    Message text("compare.matched",
        "Matched kernel time: {a} of A and {b} of B{any, select, yes { ({stages})} other {}}.",
        {{"a", Share{shares.all.a}}, {"b", Share{shares.all.b}}, {"any", Name{stages.empty() ? "no" : "yes"}},
            {"stages", stages}});
    if (shares.nvtxPath.a >= 0)
        text += {"compare.matched_paths", "Common NVTX paths contain {a} and {b} of it.",
            {{"a", Share{shares.nvtxPath.a}}, {"b", Share{shares.nvtxPath.b}}}};
    return text;
}

} // namespace warpline
