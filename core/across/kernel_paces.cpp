#include "core/across/step_facts.h"
#include "core/base/median.h"
#include "core/base/stop.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpline {

namespace {

constexpr std::size_t maxKernels = 64; // those with most time are most of the time

/// A kernel and how it was launched.
using KernelKey = std::pair<StringId, std::uint32_t>;

struct Pace {
    std::vector<Ns> durations;
    Ns total = 0;
    Ns median = 0;
};

/// Calls visit(kernel, alone) for each kernel of `participant` that computes, by lane.
template <typename Visit>
void forEachKernel(const Trace& trace, const Intervals& communicating, const ParticipantSummary& participant,
    const std::stop_token& stop, Visit&& visit)
{
    const KernelTable& kernels = trace.kernels();
    const CommunicationKernels communicates(trace);
    for (const Track& track : kernels.tracks) {
        if (!participant.uses(track.owner, track.device))
            continue;
        for (const Lane& lane : kernels.lanesOf(track)) {
            auto under = communicating.begin();
            for (const EventIndex i : stoppable(lane.first, lane.first + lane.count, stop)) {
                // Searched for: each of many lanes would pass all exchanges before its kernels.
                if (under != communicating.end() && under->end <= kernels.start[i])
                    under = std::ranges::upper_bound(
                        under, communicating.end(), kernels.start[i], {}, &TimeRange::end);
                if (!communicates[i])
                    visit(i, under == communicating.end() || under->start >= kernels.end(i));
            }
        }
    }
}

/// Adds the part "kernels" to the steps.
void addKernelParts(const Trace& trace, const Intervals& communicating,
    const std::map<KernelKey, Pace>& paces, ParticipantSummary& participant, const std::stop_token& stop)
{
    const KernelTable& kernels = trace.kernels();
    std::vector<StepFacts>& steps = participant.steps;
    const std::size_t part = participant.parts.size();
    std::vector<Ns> sums(steps.size());
    forEachKernel(trace, communicating, participant, stop, [&](EventIndex i, bool alone) {
        const auto after = std::ranges::upper_bound(
            steps, kernels.start[i], {}, [](const StepFacts& step) { return step.time.start; });
        if (after == steps.begin() || !std::prev(after)->time.contains(kernels.start[i]))
            return;
        Ns time = kernels.duration[i];
        const auto pace = alone ? paces.end() : paces.find({kernels.name[i], kernels.attribute[i]});
        if (pace != paces.end())
            time = std::min(time, pace->second.median);
        sums[static_cast<std::size_t>(after - steps.begin()) - 1] += time;
    });
    participant.parts.push_back({PartKind::Kernels, "kernels"});
    for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i].parts.resize(part + 1);
        steps[i].parts[part] = sums[i];
    }
}

std::string nameOf(const Trace& trace, StringId name, std::uint32_t launch)
{
    const KernelLaunch& how = trace.kernels().launches[launch];
    const std::string_view shortName = trace.text(how.shortName);
    return fmt::format("{} <<<{} x {} x {}, {} x {} x {}>>>",
        shortName.empty() ? trace.text(name) : shortName, how.grid.x, how.grid.y, how.grid.z, how.block.x,
        how.block.y, how.block.z);
}

} // namespace

void addKernelPaces(const Trace& trace, const Intervals& communicating, ParticipantSummary& participant,
    const std::stop_token& stop)
{
    const KernelTable& kernels = trace.kernels();
    std::map<KernelKey, Pace> paces;
    forEachKernel(trace, communicating, participant, stop, [&](EventIndex i, bool alone) {
        if (!alone)
            return;
        Pace& pace = paces[{kernels.name[i], kernels.attribute[i]}];
        pace.durations.push_back(kernels.duration[i]);
        pace.total += kernels.duration[i];
    });
    for (auto& [key, pace] : paces)
        pace.median = middleOf(pace.durations);
    if (!participant.steps.empty() && !kernels.empty())
        addKernelParts(trace, communicating, paces, participant, stop);
    std::vector<std::pair<Ns, KernelKey>> byTime;
    for (const auto& [key, pace] : paces)
        byTime.emplace_back(pace.total, key);
    std::ranges::sort(byTime, std::greater{});
    byTime.resize(std::min(byTime.size(), maxKernels));
    for (const auto& [total, key] : byTime) {
        const Pace& pace = paces[key];
        participant.kernels.push_back(
            {nameOf(trace, key.first, key.second), pace.durations.size(), pace.median});
    }
}

} // namespace warpline
