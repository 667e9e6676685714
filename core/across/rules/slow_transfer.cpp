// Collectives that are slow although all ranks have arrived: the cause is the network or the links, not a
// rank.

#include "core/across/across_rule.h"
#include "core/base/both_ends.h"

#include <fmt/format.h>

#include <map>

namespace warpline::slow_transfer {

namespace {

constexpr double slowShare = 0.5; // of the time that ranks spend in a kind of collective
constexpr std::size_t fewest = 10; // collectives needed to know the usual time

/// Whether every collective of `kind` has the reports of all ranks of its group. False for messages: a rank
/// may also wait for others.
bool hasAllMembers(const Judging& judging, std::uint32_t kind)
{
    const AcrossReport& out = judging.out;
    for (std::size_t i = 0; i < out.exchanges.size(); ++i) {
        const MatchedExchange& exchange = out.exchanges[i];
        const Match& match = judging.matches[i];
        const auto size = static_cast<std::int64_t>(exchange.members.size());
        if (exchange.kind == kind
            && (match.pointToPoint || judging.type(match.members.front()).groupSize != size))
            return false;
    }
    return true;
}

/// "all-reduce 4096 f32, ranks 0 2": nothing that changes from run to run, as communicators do.
std::string nameOfKind(const AcrossReport& out, const AcrossKind& kind)
{
    constexpr std::size_t longest = 200; // of thousands of ranks the ends
    std::string ranks;
    for (const std::uint32_t rank : out.groups[kind.group].ranks)
        ranks += fmt::format(" {}", out.ranks[rank].rank);
    return fmt::format(
        "{} {} {}, ranks{}", kind.operation, kind.bytes, kind.element, bothEnds(ranks, longest));
}

std::vector<AcrossFinding> check(const Judging& judging)
{
    std::vector<AcrossFinding> findings;
    std::map<std::string, std::size_t>
        alike; // findings by name: several communicators may have the same ranks
    const AcrossReport& out = judging.out;
    for (std::uint32_t k = 0; k < out.kinds.size(); ++k) {
        const AcrossKind& kind = out.kinds[k];
        const auto ranks = static_cast<double>(kind.ranks);
        const double spent = static_cast<double>(kind.transferTotal) * ranks + static_cast<double>(kind.wait);
        if (kind.count < fewest || static_cast<double>(kind.slow) * ranks < slowShare * spent)
            continue;
        if (out.lacksRanks && !hasAllMembers(judging, k))
            continue;
        AcrossFinding finding;
        const std::string name = nameOfKind(out, kind);
        const std::size_t number = ++alike[name];
        finding.subject
            = {Subject::Kind::Part, number == 1 ? name : fmt::format("{}, group {}", name, number)};
        finding.saving = kind.slow;
        finding.title = {"slow_transfer.title", "{operation} is slow although all ranks have arrived",
            {{"operation", Name{kind.operation}}}};
        finding.message = {"slow_transfer.times",
            "{count, plural, one {# exchange} other {# exchanges}} take {slow} more than at the rate of the fastest tenth. Median: {median}, longest: {longest}.",
            {{"count", Count{kind.count}}, {"slow", Duration{kind.slow}},
                {"median", Duration{kind.transferMedian}}, {"longest", Duration{kind.transferWorst}}}};
        const MatchedExchange* worst = nullptr;
        for (const MatchedExchange& exchange : out.exchanges) {
            if (exchange.kind == k && (!worst || exchange.transfer > worst->transfer))
                worst = &exchange;
        }
        if (worst) {
            finding.event = worst->members.front().event;
            finding.step = worst->step;
        }
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule slowTransfer{
    .id = "slow_transfer",
    .title = "Slow transfer between ranks",
    .why
    = "All ranks have arrived, so this time is transfer and not waiting. Kernels that need the data start later.",
    .remedy
    = "Look at what else uses the links at these times: other communicators, copies, checkpoints over the network. NCCL_DEBUG=INFO shows which links and algorithms NCCL chose.",
    .caveat = "The fastest tenth is the reference. Those exchanges may have had the links to themselves.",
    .checkRanks = check,
};

} // namespace warpline::slow_transfer
