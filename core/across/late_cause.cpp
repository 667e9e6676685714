// Why a rank comes late: the part of its steps that takes longer than on the others, or the reason why its
// GPU idles.

#include "core/across/judging.h"
#include "core/base/median.h"
#include "core/base/share.h"
#include "core/budget/budget_parts.h"

#include <algorithm>
#include <map>

namespace warpline {

namespace {

/// The time that rank `rank` spends in each part, in the median of `steps`.
std::map<StepPart, Ns> usualParts(
    const JudgedRank& rank, std::span<const std::uint32_t> steps, std::size_t& known)
{
    std::map<StepPart, std::vector<Ns>> lengths;
    known = 0;
    for (std::size_t i = 0; i < rank.stepOf.size(); ++i) {
        if (!std::ranges::binary_search(steps, rank.stepOf[i]))
            continue;
        ++known;
        const StepFacts& step = rank.facts->steps[i];
        for (std::size_t p = 0; p < step.parts.size(); ++p)
            lengths[rank.facts->parts[p]].push_back(step.parts[p]);
    }
    std::map<StepPart, Ns> usual;
    for (auto& [part, each] : lengths) {
        each.resize(known); // steps without the part spend nothing in it
        usual[part] = middleOf(std::move(each));
    }
    return usual;
}

/// The time that `rank` spends in each of `steps` in parts of `kind` with `name`, or in all parts of that
/// kind; -1 where it lacks the step.
std::vector<Ns> timesIn(
    const JudgedRank& rank, std::span<const std::uint32_t> steps, PartKind kind, std::string_view name)
{
    std::vector<Ns> times(steps.size(), -1);
    for (std::size_t i = 0; i < rank.stepOf.size(); ++i) {
        const auto place = std::ranges::lower_bound(steps, rank.stepOf[i]);
        if (place == steps.end() || *place != rank.stepOf[i])
            continue;
        Ns& time = times[static_cast<std::size_t>(place - steps.begin())];
        time = 0;
        const std::vector<Ns>& parts = rank.facts->steps[i].parts;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            const StepPart& part = rank.facts->parts[p];
            time += part.kind == kind && (name.empty() || part.name == name) ? parts[p] : 0;
        }
    }
    return times;
}

} // namespace

void addUp(const Judging& judging, std::uint32_t rank, std::span<const std::uint32_t> steps,
    std::string_view name, LateCause& cause)
{
    if (!cause.found())
        return;
    std::vector<std::vector<Ns>> times;
    for (const JudgedRank& each : judging.ranks)
        times.push_back(timesIn(each, steps, cause.kind, name));
    cause.inAll = 0;
    cause.stepsLonger = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
        std::vector<Ns> others;
        for (std::uint32_t r = 0; r < times.size(); ++r) {
            if (r != rank && times[r][s] >= 0)
                others.push_back(times[r][s]);
        }
        if (others.empty() || times[rank][s] < 0)
            continue;
        const Ns lead = times[rank][s] - middleOf(std::move(others));
        cause.inAll += std::max<Ns>(0, lead);
        cause.stepsLonger += lead > 0 ? 1 : 0;
    }
}

LateCause causeOf(const Judging& judging, std::uint32_t rank, std::span<const std::uint32_t> steps)
{
    std::map<StepPart, std::pair<Ns, std::vector<Ns>>> lengths; // its own, the others'
    std::size_t others = 0;
    for (std::uint32_t r = 0; r < judging.ranks.size(); ++r) {
        std::size_t known = 0;
        const auto usual = usualParts(judging.ranks[r], steps, known);
        others += r != rank && known > 0 ? 1 : 0;
        for (const auto& [part, length] : usual) {
            if (r == rank)
                lengths[part].first = length;
            else
                lengths[part].second.push_back(length);
        }
    }
    LateCause cause; // from the rank's own activity
    LateCause idle; // from its GPU's idle time: an effect, used when there is no other cause
    for (auto& [part, length] : lengths) {
        length.second.resize(others);
        const Ns lead = length.first - middleOf(std::move(length.second));
        LateCause& kept = part.kind == PartKind::Idle ? idle : cause;
        if (lead > kept.perStep)
            kept = {.part = part.name, .kind = part.kind, .perStep = lead};
    }
    // The GPUs of ranks that wait look busy while they do: by idling the late one seems to lead by more.
    if (!cause.found() || cause.perStep * 4 < idle.perStep)
        cause = std::move(idle);
    if (cause.found())
        addUp(judging, rank, steps, cause.part, cause);
    return cause;
}

LateCause idleLead(const Judging& judging, std::uint32_t rank, std::span<const std::uint32_t> steps)
{
    Ns own = 0;
    std::vector<Ns> others;
    for (std::uint32_t r = 0; r < judging.ranks.size(); ++r) {
        std::vector<Ns> idle = timesIn(judging.ranks[r], steps, PartKind::Idle, {});
        std::erase(idle, -1);
        if (idle.empty())
            continue;
        if (r == rank)
            own = middleOf(std::move(idle));
        else
            others.push_back(middleOf(std::move(idle)));
    }
    const Ns lead = others.empty() ? 0 : own - middleOf(std::move(others));
    const IdleReason reason = usualIdle(judging.ranks[rank]);
    if (lead <= 0)
        return {};
    LateCause cause{.part = std::string(reason.part), .kind = PartKind::Idle, .perStep = lead};
    addUp(judging, rank, steps, {}, cause);
    return cause;
}

IdleReason usualIdle(const JudgedRank& rank)
{
    std::map<std::string_view, Ns> idle;
    Ns length = 0;
    Ns busy = 0;
    for (const StepFacts& step : rank.facts->steps) {
        if (step.warmUp)
            continue;
        length += step.time.duration();
        busy += step.busy;
        for (std::size_t p = 0; p < step.parts.size(); ++p) {
            if (rank.facts->parts[p].kind == PartKind::Idle)
                idle[rank.facts->parts[p].name] += step.parts[p];
        }
    }
    const auto most = std::ranges::max_element(idle, {}, [](const auto& each) { return each.second; });
    return most == idle.end() ? IdleReason{}
                              : IdleReason{most->first, shareOf(most->second, length),
                                  shareOf(length - busy, length), length - busy};
}

Message idleSentence(Ordinal rank, const IdleReason& idle)
{
    return {"across.idle",
        "The GPU of rank {rank} is idle for {all} of its step time. Largest part: {share} ({part}).",
        {{"rank", rank}, {"all", Share{idle.all}}, {"part", nameOfPart(idle.part, GpuApi::Cuda)},
            {"share", Share{idle.share}}}};
}

Message LateCause::label() const
{
    return {"across.part", "{kind, select, kernels {kernels} copies {copies} other {{part}}}",
        {{"kind", Name{std::string(keyOf(kind))}},
            {"part", kind == PartKind::Idle ? Value(nameOfPart(part, GpuApi::Cuda)) : Value(Name{part})}}};
}

} // namespace warpline
