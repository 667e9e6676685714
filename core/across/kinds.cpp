// What collectives of one operation and size take once everybody is there, and what bandwidth that is: as
// nccl-tests counts it. Algorithm = bytes / time; bus = algorithm x 2 (n - 1) / n for an all-reduce, x
// (n - 1) / n for all-gather, reduce-scatter and all-to-all, where n is the number of ranks; NCCL gives the
// bytes of one rank for all-gather and reduce-scatter, so these count n times.

#include "core/across/judging.h"
#include "core/base/median.h"

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

void setBandwidth(AcrossKind& kind)
{
    if (kind.bytes <= 0 || kind.transferMedian <= 0)
        return;
    const auto n = static_cast<double>(kind.ranks);
    const bool perRank = kind.operation == "all-gather" || kind.operation == "reduce-scatter";
    const double bytes = static_cast<double>(kind.bytes) * (perRank ? n : 1);
    kind.algorithmBandwidth = bytes / static_cast<double>(kind.transferMedian); // bytes a ns are GB/s
    const double factor = kind.operation == "all-reduce" ? 2 * (n - 1) / n
        : perRank || kind.operation == "all-to-all"      ? (n - 1) / n
                                                         : 1;
    kind.busBandwidth = kind.algorithmBandwidth * factor;
}

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
    setBandwidth(kind);
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
        kind.wait += exchange.wait;
        found->second.transfers.push_back(exchange.transfer);
        for (const ExchangeMember& member : exchange.members)
            found->second.spent += member.range.duration();
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
