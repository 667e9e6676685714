#include "core/workspace/workspace_rows.h"

#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

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

} // namespace

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

} // namespace warpline
