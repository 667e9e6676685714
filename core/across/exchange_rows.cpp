#include "core/across/exchange_rows.h"

#include "core/base/format.h"
#include "core/base/saturate.h"

#include <algorithm>
#include <map>

namespace warpline {

namespace {

std::shared_ptr<const ExchangeLane> laneOf(
    const AcrossReport& across, std::uint32_t rank, std::vector<ExchangeSlice> slices)
{
    auto lane = std::make_shared<ExchangeLane>(std::move(slices));
    const AcrossRank& of = across.ranks[rank];
    lane->report = of.report;
    lane->rank = rank;
    lane->label = of.label;
    const Name waits{formatDuration(lane->wait())};
    lane->figure = Message("exchange.waits", "waits {time}", {{"time", waits}}); // a share would not compare
    lane->hint = {"exchange.lane",
        "{count, plural, one {# exchange} other {# exchanges}} in {report}: waits {waits} for the last rank (hatched), transfers for {transfers}.",
        {{"count", Count{lane->slices().size()}}, {"report", Name{across.reports[raw(of.report)].name}},
            {"waits", waits}, {"transfers", Name{formatDuration(lane->transfer())}}}};
    return lane;
}

} // namespace

std::shared_ptr<const ExchangeRows> exchangeRows(const AcrossReport& across)
{
    std::vector<std::map<std::uint32_t, std::vector<ExchangeSlice>>> slices(across.groups.size());
    std::vector<std::size_t> counts(across.groups.size());
    for (const MatchedExchange& exchange : across.exchanges) {
        ++counts[exchange.group];
        for (const ExchangeMember& member : exchange.members)
            slices[exchange.group][member.rank].push_back({member.range, member.wait, member.event.event});
    }
    std::vector<std::pair<Ns, ExchangeRow>> rows;
    for (std::size_t group = 0; group < slices.size(); ++group) {
        if (slices[group].empty())
            continue;
        ExchangeRow row;
        row.key = across.groups[group].key;
        row.label = across.groups[group].label;
        row.exchanges = counts[group];
        Ns time = 0;
        for (auto& [rank, ofRank] : slices[group]) {
            row.lanes.push_back(laneOf(across, rank, std::move(ofRank)));
            time = saturatingAdd(time, saturatingAdd(row.lanes.back()->wait(), row.lanes.back()->transfer()));
        }
        row.hint = {"exchange.row",
            "{count, plural, one {# exchange} other {# exchanges}} of {ranks, plural, one {# rank} other {# ranks}} on all ranks. Hatched: waits for the last rank. Plain: transfer",
            {{"count", Count{row.exchanges}}, {"ranks", Count{row.lanes.size()}}}};
        rows.emplace_back(time, std::move(row));
    }
    std::ranges::stable_sort(rows, std::greater{}, [](const auto& row) { return row.first; });
    auto sorted = std::make_shared<ExchangeRows>();
    for (auto& [time, row] : rows)
        sorted->push_back(std::move(row));
    return sorted;
}

} // namespace warpline
