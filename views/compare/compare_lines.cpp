#include "views/compare/compare_lines.h"

#include "core/base/format.h"
#include "core/base/stop.h"
#include "core/operators/operator_text.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Comparison", text);
}

QString valueText(double value, bool bytes)
{
    if (bytes)
        return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(std::max(0.0, value) + 0.5)));
    return durationText(value);
}

QString bytesDifference(double value)
{
    const QString size = valueText(std::abs(value), true);
    return value > 0 ? '+' + size : value < 0 ? '-' + size : size;
}

/// Nothing where a side does not have it, so that the eye sees it.
CellsModel::Cell valueCell(const RowFigures& figures, double value, bool bytes)
{
    if (figures.name.empty())
        return {{}, -1.0};
    return {valueText(value, bytes), value};
}

CellsModel::Cell countCell(const RowFigures& figures)
{
    if (figures.name.empty())
        return {{}, -1.0};
    const double count = figures.countPerStep;
    const bool isWhole = std::abs(count - std::round(count)) < 0.005;
    return {isWhole ? numberText(static_cast<std::uint64_t>(std::llround(count)))
                    : QString::fromStdString(formatReal(count, 2)),
        count};
}

/// How well the operators of `row` use the GPU, on both sides.
void addWork(const CompareRow& row, std::vector<CellsModel::Cell>& cells)
{
    const auto add = [&](double (RowFigures::*of)() const, auto&& textOfValue, double scale = 1) {
        for (const RowFigures* const figures : {&row.a, &row.b}) {
            const double value = (figures->*of)();
            cells.push_back(value > 0
                    ? CellsModel::Cell{QString::fromStdString(textOfValue(value)), value * scale}
                    : CellsModel::Cell{{}, -1.0});
        }
    };
    add(
        &RowFigures::rooflineShare, [](double share) { return formatShare(share); }, 100);
    add(&RowFigures::flopsPerSecond, [](double rate) { return formatFlops(rate); });
    add(&RowFigures::bytesPerSecond, [](double rate) { return formatBandwidth(rate); });
}

QString changeText(RowChange change, bool bytes)
{
    switch (change) {
    case RowChange::Same:
        return tr("same");
    case RowChange::Varies:
        return tr("varies");
    case RowChange::Cut:
        return tr("cut");
    case RowChange::Slower:
        return bytes ? tr("larger") : tr("slower");
    case RowChange::Faster:
        return bytes ? tr("smaller") : tr("faster");
    case RowChange::MoreCalls:
        return tr("more calls");
    case RowChange::FewerCalls:
        return tr("fewer calls");
    case RowChange::New:
        return tr("new");
    case RowChange::Gone:
        break;
    }
    return tr("gone");
}

QString stateText(FindingState state)
{
    switch (state) {
    case FindingState::Gone:
        return tr("gone");
    case FindingState::New:
        return tr("new");
    case FindingState::Grown:
        return tr("grown");
    case FindingState::Shrunk:
        return tr("shrunk");
    case FindingState::Same:
        break;
    }
    return tr("same");
}

QStringList rowTitles(const CompareTable& table, const Comparison& comparison)
{
    QStringList titles{tr("Change"), tr("Name"), tr("Difference"), tr("Share of changes"),
        plainTextOf(comparison.sideTitle(Side::A, table.id)),
        plainTextOf(comparison.sideTitle(Side::B, table.id)), tr("A count"), tr("B count"), tr("A average"),
        tr("B average")};
    if (table.isWork)
        titles += {tr("A roofline"), tr("B roofline"), tr("A FLOP/s"), tr("B FLOP/s"), tr("A bytes/s"),
            tr("B bytes/s")};
    titles << tr("Matched by");
    return titles;
}

std::vector<CellsModel::Line> linesOf(const CompareTable& table, const std::stop_token& stop)
{
    const auto changed
        = [](const CompareRow& row) { return row.change == RowChange::Same ? 0 : std::abs(row.delta()); };
    double all = 0;
    for (const CompareRow& row : table.rows)
        all += changed(row);
    std::vector<CellsModel::Line> lines;
    const std::size_t shown = std::min(table.rows.size(), maxCompareRows);
    lines.reserve(shown);
    for (const std::size_t i : stoppable(std::size_t{0}, shown, stop)) {
        const CompareRow& row = table.rows[i];
        const double delta = row.delta();
        const double share = all > 0 ? changed(row) / all : 0;
        CellsModel::Line line;
        line.id = i;
        line.cells = {{changeText(row.change, table.bytes), {}}, {compareName(row), {}},
            {table.bytes ? bytesDifference(delta) : differenceText(delta), delta},
            row.change == RowChange::Same ? CellsModel::Cell{{}, -1.0} : shareCell(share),
            valueCell(row.a, row.a.perStep, table.bytes), valueCell(row.b, row.b.perStep, table.bytes),
            countCell(row.a), countCell(row.b), valueCell(row.a, row.a.average, table.bytes),
            valueCell(row.b, row.b.average, table.bytes)};
        if (table.isWork)
            addWork(row, line.cells);
        line.cells.push_back({plainTextOf(labelOf(row.matchedBy)), {}});
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<CellsModel::Line> factLines(const Comparison& comparison)
{
    std::vector<CellsModel::Line> lines;
    for (std::size_t i = 0; i < comparison.facts.size(); ++i) {
        const CompareFact& fact = comparison.facts[i];
        const QString same = !fact.reason.empty()         ? tr("not comparable")
            : fact.state == CompareFact::State::Same      ? tr("same")
            : fact.state == CompareFact::State::Different ? tr("different")
                                                          : tr("not known");
        lines.push_back({{{same, {}}, {plainTextOf(fact.title), {}}, {plainTextOf(fact.a), {}},
                             {plainTextOf(fact.b), {}}, {plainTextOf(fact.reason), {}}},
            i});
    }
    // Differences come first.
    std::ranges::stable_sort(lines, {}, [&](const CellsModel::Line& line) {
        const CompareFact& fact = comparison.facts[line.id];
        return std::pair(fact.reason.empty(), fact.state != CompareFact::State::Different);
    });
    return lines;
}

std::vector<CellsModel::Line> findingLines(const Comparison& comparison)
{
    std::vector<CellsModel::Line> lines;
    for (std::size_t i = 0; i < comparison.findings.size(); ++i) {
        const FindingChange& finding = comparison.findings[i];
        const auto saving = [&](Side side) {
            const double ns = finding.saving[side];
            return CellsModel::Cell{finding.title[side].empty() ? QString() : valueText(ns, false), ns};
        };
        const Message& title = finding.title.b.empty() ? finding.title.a : finding.title.b;
        const double delta = finding.saving.b - finding.saving.a;
        lines.push_back({{{stateText(finding.state), {}}, {plainTextOf(title), {}},
                             {differenceText(delta), delta}, saving(Side::A), saving(Side::B)},
            i});
    }
    std::ranges::stable_sort(lines, {}, [&](const CellsModel::Line& line) {
        return comparison.findings[line.id].state == FindingState::Same;
    });
    return lines;
}

std::vector<CellsModel::Line> budgetLines(const Comparison& comparison)
{
    std::vector<CellsModel::Line> lines;
    Both<Ns> sum;
    const auto line = [](const QString& title, const Both<Ns>& time, const QString& noise, std::size_t id) {
        // To the nanosecond: the lines add up, and can be seen to.
        const auto exact = [](Ns ns) {
            return CellsModel::Cell{QString::fromStdString((ns < 0 ? "-" : "")
                                        + formatCount(static_cast<std::uint64_t>(std::abs(ns)))),
                static_cast<double>(ns)};
        };
        CellsModel::Cell difference = exact(time.b - time.a);
        if (time.b > time.a)
            difference.text.prepend('+'); // as in the other tables
        return CellsModel::Line{
            {{title, {}}, std::move(difference), exact(time.a), exact(time.b), {noise, {}}}, id};
    };
    for (std::size_t i = 0; i < comparison.budget.size(); ++i) {
        const BudgetLine& part = comparison.budget[i];
        sum.a += part.time.a;
        sum.b += part.time.b;
        const QString noise = part.noise < 0 ? QString()
            : part.isBeyondNoise()           ? tr("beyond noise")
                                             : tr("noise up to %1").arg(roundedText(part.noise));
        lines.push_back(line(plainTextOf(part.title), part.time, noise, i));
    }
    if (!lines.empty())
        lines.push_back(line(tr("Together"), sum, {}, comparison.budget.size()));
    return lines;
}

} // namespace

CompareLines compareLines(const Comparison& comparison, const std::stop_token& stop)
{
    CompareLines lines;
    for (const CompareTable& table : comparison.tables)
        lines.tables.push_back({rowTitles(table, comparison), linesOf(table, stop)});
    lines.budget = {{tr("Part"), tr("Difference (ns)"), tr("A (ns)"), tr("B (ns)"), tr("Beyond noise?")},
        budgetLines(comparison)};
    lines.facts = {{tr("Same?"), tr("Fact"), "A", "B", tr("Why it matters")}, factLines(comparison)};
    lines.findings = {{tr("Change"), tr("Finding"), tr("Difference"), tr("Saving in A"), tr("Saving in B")},
        findingLines(comparison)};
    return lines;
}

QString differenceText(double ns)
{
    const Ns rounded = std::llround(ns);
    const QString text = durationText(std::abs(rounded));
    return rounded > 0 ? '+' + text : rounded < 0 ? '-' + text : text;
}

QString compareName(const CompareRow& row)
{
    const auto nameOf = [](const RowFigures& figures) {
        const QString name = textOf(figures.label.empty() ? figures.name : figures.label);
        return figures.shape.empty() ? name : name + ' ' + textOf(figures.shape);
    };
    if (row.a.name.empty() || row.b.name.empty())
        return nameOf(row.a.name.empty() ? row.b : row.a);
    const QString a = nameOf(row.a);
    const QString b = nameOf(row.b);
    // Elides both names in the middle: eliding the whole would drop the arrow.
    constexpr qsizetype most = 48;
    return a == b ? a : elidedInMiddle(a, most) + QString::fromUtf8(" \u2192 ") + elidedInMiddle(b, most);
}

QString compareHeadline(const Comparison& comparison)
{
    const double change = 100 * std::abs(comparison.change());
    const QString share = QString::number(change, 'f', change < 10 ? 1 : 0) + '%';
    if (!comparison.comparable)
        return QObject::tr("Not comparable");
    const bool isUnlike = comparison.has(CompareCaveat::Kernels);
    const bool isMean = comparison.decidedBy == CompareFigure::Mean;
    switch (comparison.verdict) {
    case CompareVerdict::Faster:
        return (isUnlike && isMean ? QObject::tr("B takes %1 less time on average, with other kernels")
                : isUnlike         ? QObject::tr("B takes %1 less time, with other kernels")
                : isMean           ? QObject::tr("B takes %1 less time on average")
                                   : QObject::tr("B takes %1 less time"))
            .arg(share);
    case CompareVerdict::Slower:
        return (isUnlike && isMean ? QObject::tr("B takes %1 more time on average, with other kernels")
                : isUnlike         ? QObject::tr("B takes %1 more time, with other kernels")
                : isMean           ? QObject::tr("B takes %1 more time on average")
                                   : QObject::tr("B takes %1 more time"))
            .arg(share);
    case CompareVerdict::NoDifference:
        return comparison.delta == 0 ? QObject::tr("No difference")
                                     : QObject::tr("No difference beyond the noise");
    case CompareVerdict::Unknown:
        break;
    }
    return QObject::tr("No verdict");
}

QColor verdictColor(const Comparison& comparison, const Theme& theme)
{
    if (!comparison.comparable || comparison.verdict == CompareVerdict::Slower)
        return theme.bad;
    return comparison.verdict == CompareVerdict::Faster ? theme.good : theme.text;
}

} // namespace warpline
