// Pipeline stages send to and receive from one another. A stage that waits much has less to do than the one
// that it waits for. That one bounds the pipeline, and the cause of its GPU's idle time bounds the whole run.

#include "core/across/across_rule.h"
#include "core/base/share.h"

#include <algorithm>

namespace warpline::pipeline_across {

namespace {

constexpr double minReportedShare = 0.05; // of the steps that a stage waits
constexpr double pacedByHost
    = 0.5; // of its steps' time that the GPU of a stage idles: its kernels do not bound it

/// Whether a message goes one way only, as between stages, or the direction is unknown. If all go both ways
/// at once, it is an all-to-all or a neighbour exchange.
bool hasStages(const Judging& judging)
{
    return std::ranges::any_of(judging.matches, [&](const Match& match) {
        return match.pointToPoint && std::ranges::any_of(match.members, [&](ExchangeAt at) {
            const Exchange& exchange = judging.exchange(at);
            const auto& peers = judging.ranks[at.rank].facts->peers;
            std::uint32_t sends = 0;
            for (std::uint32_t i = 0; i < exchange.peers; ++i)
                sends += peers[exchange.firstPeer + i].sends ? 1 : 0;
            return !judging.type(at).onHost && (sends == 0 || sends == exchange.peers);
        });
    });
}

/// The time that each rank waits for messages while nothing computes, over the analyzed steps.
std::vector<Ns> waitsInMessages(const Judging& judging)
{
    const AcrossReport& out = judging.out;
    std::vector<Ns> waits(out.ranks.size());
    for (std::size_t i = 0; i < out.exchanges.size(); ++i) {
        const MatchedExchange& exchange = out.exchanges[i];
        const bool message
            = judging.matches[i].pointToPoint && !judging.type(judging.matches[i].members.front()).onHost;
        if (!message || (exchange.step != noIndex && out.steps[exchange.step].warmUp))
            continue;
        for (const ExchangeMember& member : exchange.members)
            waits[member.rank] += member.exposedWait;
    }
    return waits;
}

/// Adds why the GPU of the bounding stage idles most, and adapts the remedy. Each micro-batch launches the
/// same kernels again, so for a host-bound stage more micro-batches cost more than the shorter bubble saves.
/// Its saving is at most its GPU's idle time.
void tellIdle(Ordinal stage, const IdleReason& idle, AcrossFinding& finding)
{
    if (idle.share < minReportedShare)
        return;
    finding.message
        += idleSentence(stage, idle) + Message("pipeline_across.shorten_first", "Shorten that first.");
    if (idle.all < pacedByHost)
        return;
    if (idle.time < finding.saving) {
        finding.message += {"pipeline_across.own_work",
            "Its own work remains: its GPU is idle for only {idle} in these steps.",
            {{"idle", Duration{idle.time}}}};
        finding.saving = idle.time;
    }
    finding.remedy = {"pipeline_across.remedy_of_host",
        "First shorten what the GPU of rank {rank} waits for. If it waits for launches, use fewer and cheaper ones: a CUDA graph, torch.compile, a fused optimizer, or fewer and larger micro-batches. Then give this stage fewer layers.",
        {{"rank", stage}}};
}

std::vector<AcrossFinding> check(const Judging& judging)
{
    const AcrossReport& out = judging.out;
    if (out.lacksRanks) // the stage that bounds it may be a missing one
        return {};
    const std::vector<Ns> waits = waitsInMessages(judging);
    const Ns measured = measuredAcross(judging);
    const auto [least, most] = std::ranges::minmax_element(waits);
    if (shareOf(*most, measured) < minReportedShare || *least * 2 > *most || !hasStages(judging))
        return {};
    const auto bounding = static_cast<std::uint32_t>(least - waits.begin());
    const auto waiting = static_cast<std::uint32_t>(most - waits.begin());
    AcrossFinding finding;
    finding.rank = bounding;
    finding.saving = *most;
    const Ordinal limit = numberOf(out, bounding);
    const Ordinal other = numberOf(out, waiting);
    finding.title = {"pipeline_across.title",
        "The stage on rank {rank} limits the pipeline: a bubble of {share} on rank {other}",
        {{"rank", limit}, {"share", Share{shareOf(*most, measured)}}, {"other", other}}};
    finding.message = {"pipeline_across.waits",
        "Rank {other} waits {most} in sends and receives while nothing computes, rank {rank} only {least}. "
        "Compute kernels outside communication take {other_compute} on rank {other} and {compute} on rank {rank}.",
        {{"other", other}, {"most", Duration{*most}}, {"rank", limit}, {"least", Duration{*least}},
            {"other_compute", Duration{out.ranks[waiting].computeAlone}},
            {"compute", Duration{out.ranks[bounding].computeAlone}}}};
    finding.remedy = {"pipeline_across.remedy",
        "Give the stage that limits the pipeline fewer layers, or make its work faster: every step gets faster with it. If launches set its pace, use fewer and larger micro-batches. Smaller micro-batches shorten the bubble only between even stages."};
    tellIdle(limit, usualIdle(judging.ranks[bounding]), finding);
    return {finding};
}

} // namespace

// Uses the texts of the rule for one report.
extern constinit const Rule pipelineAcross{
    .id = "pipeline_bubble",
    .title = {},
    .why = {},
    .remedy = {},
    .caveat = {},
    .checkRanks = check,
};

} // namespace warpline::pipeline_across
