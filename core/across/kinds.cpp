// Transfer times and bandwidths per operation and size: the time after all ranks have arrived.

#include "core/across/judging.h"
#include "core/base/median.h"
#include "core/base/saturate.h"
#include "core/derive/collective_bandwidth.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpline {

namespace {

struct KindTimes {
    std::uint32_t place = 0;
    std::vector<Ns> transfers;
    Ns spent = 0;
};

void finish(AcrossKind& kind, KindTimes& times)
{
    std::ranges::sort(times.transfers);
    const std::size_t count = times.transfers.size();
    kind.count = count;
    kind.transferMedian = middleOf(times.transfers);
    kind.transferWorst = times.transfers.back();
    const Ns expected = times.transfers[count / 10]; // the fastest tenth was held up by nothing
    for (const Ns transfer : times.transfers) {
        kind.transferTotal += transfer;
        kind.slow += std::max<Ns>(0, transfer - expected);
    }
    kind.waitShare = times.spent > 0 ? static_cast<double>(kind.wait) / static_cast<double>(times.spent) : 0;
    const CollectiveBandwidth rates
        = collectiveBandwidth(kind.operation, kind.bytes, kind.ranks, kind.transferMedian);
    kind.algorithmBandwidth = rates.algorithm;
    kind.busBandwidth = rates.bus;
}

} // namespace

void findKinds(Judging& judging)
{
    AcrossReport& out = judging.out;
    std::map<std::tuple<std::uint32_t, std::string, std::string, std::int64_t>, KindTimes> known;
    std::vector<AcrossKind> kinds;
    std::vector<KindTimes*> times;
    for (std::size_t i = 0; i < out.exchanges.size(); ++i) {
        MatchedExchange& exchange = out.exchanges[i];
        const ExchangeAt at = judging.matches[i].members.front();
        const ExchangeType& type = judging.type(at);
        const std::int64_t bytes = judging.exchange(at).bytes;
        const std::string operation = judging.matches[i].pointToPoint && !type.onHost
            ? std::string("send and receive")
            : type.operation;
        const auto [found, added]
            = known.try_emplace({exchange.group, operation, type.element, bytes}, KindTimes{});
        if (added) {
            found->second.place = static_cast<std::uint32_t>(kinds.size());
            kinds.push_back(
                {.group = exchange.group, .operation = operation, .element = type.element, .bytes = bytes});
            times.push_back(&found->second);
        }
        exchange.kind = found->second.place;
        AcrossKind& kind = kinds[exchange.kind];
        // A call that waits for several messages has one member for each end that it waits longest for.
        const std::size_t ranks = exchange.members.size() + judging.matches[i].others.size();
        kind.ranks = std::max<std::int64_t>(kind.ranks, static_cast<std::int64_t>(ranks));
        kind.wait = saturatingAdd(kind.wait, exchange.wait);
        found->second.transfers.push_back(exchange.transfer);
        for (const ExchangeMember& member : exchange.members)
            found->second.spent = saturatingAdd(found->second.spent, member.range.duration());
    }
    for (std::size_t i = 0; i < kinds.size(); ++i)
        finish(kinds[i], *times[i]);
    std::vector<std::uint32_t> order(kinds.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, std::greater{}, [&](std::uint32_t i) { return times[i]->spent; });
    std::vector<std::uint32_t> placeOf(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        placeOf[order[i]] = i;
        out.kinds.push_back(std::move(kinds[order[i]]));
    }
    for (MatchedExchange& exchange : out.exchanges)
        exchange.kind = placeOf[exchange.kind];
}

} // namespace warpline
