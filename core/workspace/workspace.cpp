#include "core/workspace/workspace.h"

#include "core/base/enum_key.h"
#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace warpline {

namespace {

void makeLabelsUnique(std::vector<OpenReport>& reports)
{
    std::set<std::string> taken;
    for (OpenReport& report : reports) {
        std::string label = report.label;
        for (int number = 2; !taken.insert(label).second; ++number)
            label = fmt::format("{} ({})", report.label, number);
        report.label = label;
    }
}

constexpr std::size_t fewReports = 2;

Row headingOf(const OpenReport& report, bool isFew)
{
    Row heading;
    heading.key = "report:" + report.label;
    heading.label = nameMessage(report.label);
    heading.hint = nameMessage(report.trace->info.path);
    heading.report = report.id;
    heading.events = report.trace->eventCount();
    // Of many reports only the first is expanded; a collapsed heading still shows when the others are busy.
    heading.expanded = isFew || report.id == ReportId{};
    return heading;
}

/// The rows of several reports as one tree: a heading with the label of each report, its rows below it in
/// order. Sets `firstRow` of each report to the row that its root became; row `n` of its own tree became row
/// `firstRow + n`. Coverages and similar data are shared, not copied.
std::shared_ptr<const RowTree> joinRows(
    std::span<const OpenReport> reports, std::vector<std::uint32_t>& firstRow)
{
    auto all = std::make_shared<RowTree>();
    firstRow.clear();
    for (const OpenReport& report : reports) {
        const RowTree& own = *report.rows;
        const RowId heading = all->add(RowTree::root, headingOf(report, reports.size() <= fewReports));
        firstRow.push_back(raw(heading));
        const std::string prefix = all->row(heading).key + '/';
        // A tree holds parents before their children, and children in the order in which they came.
        for (std::uint32_t i = 1; i < own.size(); ++i) {
            Row row = own.row(RowId{i});
            row.report = report.id;
            row.key.insert(0, prefix);
            const RowId parent{raw(heading) + raw(row.parent)};
            all->add(parent, std::move(row));
        }
    }
    return all;
}

/// Adds the rows of `exchanges` to `rows`, above all others: a heading, a row per communicator, a lane per
/// rank. Returns the lane of each added row, nullptr: none.
std::vector<const ExchangeLane*> addExchangeRows(RowTree& rows, const ExchangeRows& exchanges)
{
    constexpr std::size_t fewLanes = 8;
    std::vector<const ExchangeLane*> lanes;
    const auto add = [&](RowId parent, Row row, const ExchangeLane* lane) {
        lanes.push_back(lane);
        return rows.add(parent, std::move(row));
    };
    Row heading;
    heading.key = "exchanges";
    heading.label = {"exchange.all", "Communication"};
    heading.hint = {"exchange.help",
        "Exchanges between ranks, by communicator. Hatched: waits for the last rank. Plain: transfer"};
    heading.report = exchanges.front().lanes.front()->report;
    heading.expanded = true;
    const RowId top = add(RowTree::root, std::move(heading), nullptr);
    for (const ExchangeRow& each : exchanges) {
        Row communicator;
        communicator.key = "exchanges/" + each.key;
        communicator.label = each.label;
        communicator.hint = each.hint;
        communicator.figure = nameMessage(formatCount(each.exchanges));
        communicator.report = each.lanes.front()->report;
        communicator.tint = Tint::Library;
        communicator.expanded = &each == &exchanges.front() && each.lanes.size() <= fewLanes;
        const RowId parent = add(top, std::move(communicator), nullptr);
        for (const auto& lane : each.lanes) {
            Row row;
            row.key = "exchanges/" + each.key + '/' + lane->label;
            row.label = nameMessage(lane->label);
            row.figure = lane->figure;
            row.hint = lane->hint;
            row.report = lane->report;
            row.drawing = Drawing::Slices;
            row.tint = Tint::Library;
            add(parent, std::move(row), lane.get());
        }
    }
    std::vector<RowId>& order = rows.row(RowTree::root).children;
    std::ranges::rotate(order, std::prev(order.end()));
    return lanes;
}

} // namespace

TimeRange OpenReport::session() const
{
    return clock.toWorkspace(trace->session);
}

std::string_view keyOf(ClockMethod method)
{
    return keyIn<ClockMethod::Manual>({"none", "start_time", "matched", "manual"}, method);
}

Message wordsOf(ClockMethod method)
{
    return {"clock", keyOf(method),
        keyIn<ClockMethod::Manual>({"its own start", "start time", "matched events", "set by hand"}, method)};
}

Workspace::Workspace()
    : m_rows(std::make_shared<const RowTree>())
{
}

Workspace::Workspace(std::vector<OpenReport> reports, bool isPart)
    : m_reports(std::move(reports)),
      m_isPart(isPart)
{
    for (std::size_t i = 0; i < m_reports.size(); ++i)
        m_reports[i].id = ReportId{static_cast<std::uint16_t>(i)};
    makeLabelsUnique(m_reports);
    findSession();
    joinAll();
}

void Workspace::joinAll()
{
    if (m_reports.size() == 1) {
        m_rows = m_reports.front().rows;
        m_firstRow = {0};
    } else {
        m_rows = joinRows(m_reports, m_firstRow);
    }
    m_ownRows = static_cast<std::uint32_t>(m_rows->size());
}

Workspace Workspace::withExchanges(std::shared_ptr<const ExchangeRows> exchanges) const
{
    Workspace other = *this;
    if (other.m_exchanges)
        other.joinAll();
    other.m_lanes.clear();
    other.m_exchanges = exchanges && !exchanges->empty() ? std::move(exchanges) : nullptr;
    if (other.m_exchanges)
        other.addExchanges();
    return other;
}

void Workspace::addExchanges()
{
    auto all = std::make_shared<RowTree>(*m_rows);
    m_lanes = addExchangeRows(*all, *m_exchanges);
    m_rows = std::move(all);
}

const ExchangeLane* Workspace::exchangeLane(RowId row) const
{
    return isOfAll(row) ? m_lanes[raw(row) - m_ownRows] : nullptr;
}

RowId Workspace::exchangeRowOf(std::uint32_t rank, EventId event) const
{
    const Ns start = trace(event.report).range(event.event).start;
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        if (m_lanes[i] && m_lanes[i]->rank == rank && m_lanes[i]->report == event.report
            && m_lanes[i]->holds(event.event, start))
            return RowId{m_ownRows + static_cast<std::uint32_t>(i)};
    }
    return RowTree::root;
}

const OpenReport* Workspace::find(const std::shared_ptr<const Trace>& trace) const
{
    const auto found = std::ranges::find(m_reports, trace, &OpenReport::trace);
    return found != m_reports.end() ? &*found : nullptr;
}

void Workspace::findSession()
{
    m_session = {};
    for (const OpenReport& report : m_reports) {
        if (!report.trace->session.empty())
            m_session = m_session.empty() ? report.session() : m_session.unitedWith(report.session());
    }
}

bool Workspace::isComplete() const
{
    return !isEmpty()
        && std::ranges::all_of(m_reports, [](const OpenReport& report) { return report.trace->complete; });
}

std::uint64_t Workspace::eventCount() const
{
    std::uint64_t events = 0;
    for (const OpenReport& report : m_reports)
        events += report.trace->eventCount();
    return events;
}

RowId Workspace::rowOf(ReportId report, RowId own) const
{
    return RowId{m_firstRow[raw(report)] + raw(own)};
}

RowId Workspace::ownRow(RowId row) const
{
    if (isOfAll(row))
        return RowTree::root;
    const auto after = std::ranges::upper_bound(m_firstRow, raw(row));
    return after == m_firstRow.begin() ? RowTree::root : RowId{raw(row) - *std::prev(after)};
}

RowId Workspace::rowOf(EventId event) const
{
    const OpenReport& of = report(event.report);
    const RowId own = of.rows->rowOf(of.trace->trackOf(event.event));
    return own == RowTree::root ? RowTree::root : rowOf(event.report, own);
}

TimeRange Workspace::range(EventId event) const
{
    const OpenReport& of = report(event.report);
    return of.clock.toWorkspace(of.trace->range(event.event));
}

Workspace Workspace::withClock(ReportId report, ClockOffset clock) const
{
    Workspace other = *this;
    other.m_reports[raw(report)].clock = std::move(clock);
    other.findSession();
    return other;
}

} // namespace warpline
