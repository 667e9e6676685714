#include "views/panels/rank_lines.h"

#include "core/across/across_report.h"
#include "core/base/format.h"
#include "core/base/saturate.h"
#include "core/render/render.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpline {

namespace {

using LineCell = CellsModel::Cell;

QString translated(const char* text)
{
    return QCoreApplication::translate("Ranks", text);
}

/// Nothing where the value is not known.
LineCell realCell(double value, int decimals)
{
    return value > 0 ? LineCell{QString::fromStdString(formatReal(value, decimals)), value}
                     : LineCell{{}, 0.0};
}

QString severityText(Severity severity)
{
    switch (severity) {
    case Severity::High:
        return translated("high");
    case Severity::Medium:
        return translated("medium");
    case Severity::Low:
        return translated("low");
    case Severity::Info:
        break;
    }
    return translated("for information");
}

} // namespace

QStringList rankTitles()
{
    return {translated("Rank"), translated("Report"), translated("GPU"), translated("Blame"),
        translated("Exposed wait"), translated("Wait"), translated("Last in"), translated("Transfer"),
        translated("Computes alone"), translated("SM clock (MHz)")};
}

std::vector<CellsModel::Line> rankLines(const AcrossReport& across, const Workspace* workspace)
{
    std::vector<CellsModel::Line> lines;
    for (std::size_t i = 0; i < across.ranks.size(); ++i) {
        const AcrossRank& rank = across.ranks[i];
        const QString last = QString("%1 / %2").arg(numberText(rank.lastCount), numberText(rank.exchanges));
        lines.push_back(
            {{{textOf(rank.label), static_cast<double>(rank.rank)},
                 textCell(workspace ? workspace->report(rank.report).label
                                    : across.reports[raw(rank.report)].name),
                 textCell(rank.gpu), timeCell(rank.blame), timeCell(rank.exposedWait), timeCell(rank.wait),
                 {last, static_cast<double>(rank.lastCount)}, timeCell(rank.transfer),
                 timeCell(rank.computeAlone), realCell(rank.clockMHz, 0)},
                i});
    }
    return lines;
}

QStringList kindTitles()
{
    return {translated("Operation"), translated("Type"), translated("Group"), translated("Size"),
        translated("Ranks"), translated("Count"), translated("Transfer, median"), translated("worst"),
        translated("in all"), translated("Wait"), translated("of the time"), translated("Algorithm GB/s"),
        translated("Bus GB/s")};
}

std::vector<CellsModel::Line> kindLines(const AcrossReport& across)
{
    std::vector<CellsModel::Line> lines;
    for (std::size_t i = 0; i < across.kinds.size(); ++i) {
        const AcrossKind& kind = across.kinds[i];
        const LineCell size = kind.bytes < 0
            ? LineCell{{}, -1.0}
            : LineCell{QString::fromStdString(formatBytes(static_cast<std::uint64_t>(kind.bytes))),
                static_cast<double>(kind.bytes)};
        lines.push_back(
            {{textCell(kind.operation), textCell(kind.element),
                 textCell(plain(across.groups[kind.group].label)), size, countCell(naturalOf(kind.ranks)),
                 countCell(kind.count), timeCell(kind.transferMedian), timeCell(kind.transferWorst),
                 timeCell(kind.transferTotal), timeCell(kind.wait), shareCell(kind.waitShare),
                 realCell(kind.algorithmBandwidth, 1), realCell(kind.busBandwidth, 1)},
                i});
    }
    return lines;
}

QStringList exchangeTitles()
{
    return {translated("Rank"), translated("Arrives after first"), translated("Wait"),
        translated("exposed part"), translated("Transfer"), translated("Whole"), translated("What")};
}

std::vector<CellsModel::Line> exchangeLines(
    const AcrossReport& across, const MatchedExchange& exchange, const Workspace& workspace)
{
    const auto startOf = [&](const ExchangeMember& member) {
        return workspace.report(member.event.report).clock.toWorkspace(member.range.start);
    };
    const bool isAligned = std::ranges::all_of(exchange.members, [&](const ExchangeMember& member) {
        const ReportAcross& report = across.reports[raw(member.event.report)];
        return report.clock.method != ClockMethod::Own || across.reports.size() == 1
            || member.event.report == exchange.members.front().event.report || raw(member.event.report) == 0;
    });
    Ns first = startOf(exchange.members.front());
    for (const ExchangeMember& member : exchange.members)
        first = std::min(first, startOf(member));
    std::vector<CellsModel::Line> lines;
    for (std::size_t i = 0; i < exchange.members.size(); ++i) {
        const ExchangeMember& member = exchange.members[i];
        QString role;
        if (member.rank == exchange.last)
            role = translated("came last");
        else if (member.rank == exchange.blamed)
            role = translated("held up others");
        // Without aligned clocks, the longest wait means the earliest arrival.
        const Ns arrival = isAligned ? startOf(member) - first : -member.wait;
        lines.push_back(
            {{textCell(across.ranks[member.rank].label),
                 isAligned ? timeCell(arrival)
                           : LineCell{translated("not aligned"), static_cast<double>(arrival), false},
                 timeCell(member.wait), timeCell(member.exposedWait),
                 timeCell(member.range.duration() - member.wait), timeCell(member.range.duration()),
                 {role, {}}},
                i});
    }
    std::ranges::stable_sort(
        lines, {}, [](const CellsModel::Line& line) { return line.cells[1].key.toDouble(); });
    return lines;
}

QStringList acrossFindingTitles()
{
    return {translated("Finding"), translated("Severity"), translated("Could save")};
}

std::vector<CellsModel::Line> acrossFindingLines(const AcrossReport& across)
{
    std::vector<CellsModel::Line> lines;
    for (std::size_t i = 0; i < across.findings.size(); ++i) {
        const AcrossFinding& finding = across.findings[i];
        lines.push_back({{{plainTextOf(finding.title), {}},
                             {severityText(finding.severity), -static_cast<double>(finding.severity)},
                             finding.saving > 0 ? timeCell(finding.saving) : LineCell{{}, 0.0}},
            i});
    }
    return lines;
}

} // namespace warpline
