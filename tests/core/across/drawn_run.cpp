#include "tests/core/across/drawn_run.h"

#include <algorithm>

namespace warpline::test {

std::vector<ReportSummary> DrawnRun::reports() const
{
    std::vector<ReportSummary> reports(ranks);
    Ns now = 1'000'000'000;
    for (std::size_t r = 0; r < ranks; ++r) {
        reports[r].file = "rank" + std::to_string(r) + ".sqlite";
        reports[r].host = "node" + std::to_string(r % hosts);
        reports[r].utcOfZero = 1'795'000'000'000'000'000;
        reports[r].identity = r + 1;
        ParticipantSummary& own = reports[r].participants.emplace_back();
        own.process = (r + 1) << 24U;
        own.rank = static_cast<std::int64_t>(r);
        own.foundBy = RankSource::Environment;
        own.worldSize = static_cast<std::int64_t>(ranks);
        own.types.push_back({ExchangeKind::Synchronizing, false, "all-reduce", "f32", "nccl:77", 0});
        own.parts = {{PartKind::Range, "load"}, {PartKind::Range, "forward"}};
        own.stepPattern = "step_#";
    }
    for (std::size_t s = 0; s < steps; ++s) {
        Ns all = 0;
        for (std::size_t r = 0; r < ranks; ++r)
            all = std::max(all, now + work + extra(r, s));
        for (std::size_t r = 0; r < ranks; ++r) {
            ParticipantSummary& own = reports[r].participants.front();
            const Ns there = now + work + extra(r, s);
            StepFacts& step = own.steps.emplace_back();
            step.name = "step_" + std::to_string(s);
            step.host = step.time = {now, all + transfer};
            step.parts = {1'000'000 + extra(r, s), work - 1'000'000};
            Exchange& exchange = own.exchanges.emplace_back();
            exchange.range = {there, all + transfer};
            exchange.bytes = 1'000'000;
            exchange.step = static_cast<std::uint32_t>(s);
            exchange.event = {EventKind::Kernel, static_cast<EventIndex>(s)};
        }
        now = all + transfer;
    }
    for (std::size_t r = 0; r < ranks; ++r) {
        reports[r].session = {1'000'000'000, now};
        retime(reports[r], [&](Ns time) { return time + clock(r, time); });
    }
    return reports;
}

} // namespace warpline::test
