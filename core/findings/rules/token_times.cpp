// What users of a model server feel: the time until the first token (prefill) and the time of each further
// one (decode), where the names of the steps tell the two apart.

#include "core/base/format.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/findings/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::string_view id = "token_times";
constexpr Threshold minSteps{"min_steps", "Minimum number of decode steps", "", 5};
constexpr std::array thresholds{minSteps};

/// Lengths of the steps of some kinds, and the steps themselves.
struct Lengths {
    std::vector<Ns> lengths;
    std::vector<EventRef> events;
    std::int64_t requests = 0; ///< in all of them; 0: not known

    bool empty() const { return lengths.empty(); }
    Ns at(double share)
    {
        const auto place = static_cast<std::size_t>(share * static_cast<double>(lengths.size() - 1) + 0.5);
        std::ranges::nth_element(lengths, lengths.begin() + static_cast<std::ptrdiff_t>(place));
        return lengths[place];
    }
    Ns total() const
    {
        Ns sum = 0;
        for (const Ns length : lengths)
            sum += length;
        return sum;
    }
};

Lengths lengthsOf(const StepSeries& steps, StepKind kind)
{
    Lengths found;
    for (const StepPeers& group : steps.groups) {
        if (group.work.kind != kind)
            continue;
        for (const std::size_t i : group.steps) {
            found.lengths.push_back(steps.ranges[i].duration());
            found.events.push_back(steps.events[i]);
            found.requests += std::max<std::int64_t>(0, group.work.requests);
        }
    }
    return found;
}

Lengths prefillsOf(const Trace& trace, const StepSeries& steps)
{
    Lengths found = lengthsOf(steps, StepKind::Prefill);
    for (const EventRef& event : steps.prefills) {
        found.lengths.push_back(trace.range(event).duration());
        found.events.push_back(event);
    }
    return found;
}

/// The time in which a GPU of the process works during `prefill`.
Ns workIn(const RuleContext& context, const StepSeries& steps, TimeRange prefill)
{
    Ns most = 0;
    for (const GpuFacts* const gpu : gpusOf(context.facts, steps.thread))
        most = std::max(most, totalTime(gpu->busy, prefill));
    return most;
}

/// True for a first prompt in which the GPU hardly works: the process still starts, so it says nothing of
/// later ones.
bool isCold(const RuleContext& context, const StepSeries& steps, const Lengths& prefills)
{
    constexpr Ns few = 10; // a tenth of the time
    if (prefills.lengths.size() != 1)
        return false;
    const TimeRange range = context.trace.range(prefills.events.front());
    return workIn(context, steps, range) * few < range.duration();
}

std::string firstTokenText(const RuleContext& context, const StepSeries& steps, Lengths& prefills)
{
    if (isCold(context, steps, prefills))
        return fmt::format(
            " The only prompt is the first one, {}, of which the GPU works for {}: code is loaded and "
            "memory allocated in it. It does not tell the time to the first token of later requests.",
            formatDuration(prefills.lengths.front()),
            formatDuration(workIn(context, steps, context.trace.range(prefills.events.front()))));
    if (prefills.lengths.size() == 1)
        return fmt::format(
            " The prompt is processed in {}: the time to the first token, without waiting in a queue.",
            formatDuration(prefills.lengths.front()));
    return fmt::format(" {} prompts or groups of them are processed in {} each at the median, {} at the "
                       "99th percentile: the time to the first token, without waiting in a queue.",
        formatCount(prefills.lengths.size()), formatDuration(prefills.at(0.5)),
        formatDuration(prefills.at(0.99)));
}

/// What the program copies to `gpu` before its first kernel: most often the weights. 0: nothing.
std::uint64_t bytesBeforeKernels(const Trace& trace, const GpuFacts& gpu)
{
    const MemcpyTable& copies = trace.memcpys();
    const Ns first = gpu.compute.empty() ? 0 : gpu.compute.front().start;
    std::uint64_t bytes = 0;
    for (const std::uint32_t work : gpu.work) {
        const EventRef event = Links::unpack(work);
        if (event.kind == EventKind::Memcpy && copies.start[event.index] < first
            && copies.copy(event.index).kind == CopyKind::HtoD)
            bytes += copies.bytes[event.index];
    }
    return bytes;
}

/// How long it takes at least to read the weights once, where the report shows what they are.
std::string weightsText(const RuleContext& context, const StepSeries& steps, Ns token)
{
    constexpr std::uint64_t fewest = 10'000'000; // less is input, no model
    const std::vector<const GpuFacts*> gpus = gpusOf(context.facts, steps.thread);
    if (gpus.size() != 1)
        return {};
    const GpuFacts& gpu = *gpus.front();
    const Device* const device = context.trace.device(gpu.process, gpu.device);
    const std::uint64_t bytes = bytesBeforeKernels(context.trace, gpu);
    if (!device || device->memoryBandwidth <= 0 || bytes < fewest)
        return {};
    const double least = static_cast<double>(bytes) * 1e9 / static_cast<double>(device->memoryBandwidth);
    return fmt::format(
        " Before its first kernel the program copies {} to the GPU: if these are the weights, "
        "reading them once takes {} at least (memory bandwidth {}). A token takes {} times that.",
        formatBytes(bytes), formatDuration(static_cast<Ns>(least)),
        formatThroughput(static_cast<double>(device->memoryBandwidth)),
        formatReal(static_cast<double>(token) / least, least * 10 > static_cast<double>(token) ? 1 : 0));
}

void report(const RuleContext& context, const StepSeries& steps, std::vector<Finding>& findings)
{
    Lengths decodes = lengthsOf(steps, StepKind::Decode);
    Lengths mixed = lengthsOf(steps, StepKind::Mixed);
    Lengths prefills = prefillsOf(context.trace, steps);
    if (static_cast<double>(decodes.lengths.size()) < context.threshold(id, minSteps))
        return;
    Finding finding;
    finding.process = processOf(steps.thread);
    finding.severity = Severity::Info;
    finding.confidence = Confidence::Certain;
    finding.title = fmt::format("{} a token at the median, {} at the 99th percentile",
        formatDuration(decodes.at(0.5)), formatDuration(decodes.at(0.99)));
    if (!prefills.empty())
        finding.title += fmt::format("; first token after {}{}", formatDuration(prefills.at(0.5)),
            isCold(context, steps, prefills) ? ", cold" : "");
    finding.message = fmt::format("{} ({}) take {} each at the median, {} at the 90th and {} at the 99th "
                                  "percentile, as the launching thread sees them.",
        counted(decodes.lengths.size(), "decode step"), steps.pattern, formatDuration(decodes.at(0.5)),
        formatDuration(decodes.at(0.9)), formatDuration(decodes.at(0.99)));
    if (decodes.requests > 0)
        finding.message += fmt::format(" They make {:.0f} tokens a second, for {} requests at a time.",
            static_cast<double>(decodes.requests) * 1e9 / static_cast<double>(decodes.total()),
            formatReal(
                static_cast<double>(decodes.requests) / static_cast<double>(decodes.lengths.size()), 1));
    if (!prefills.empty())
        finding.message += firstTokenText(context, steps, prefills);
    finding.message += weightsText(context, steps, decodes.at(0.5));
    if (!mixed.empty())
        finding.message += fmt::format(" {} process prompts and tokens together and take {} each at the "
                                       "median: requests that already run wait {} longer for their token.",
            counted(mixed.lengths.size(), "step"), formatDuration(mixed.at(0.5)),
            formatDuration(std::max<Ns>(0, mixed.at(0.5) - decodes.at(0.5))));
    setEvidence(finding, context.trace, prefills.empty() ? decodes.events : prefills.events,
        [&](EventRef) { return std::string(prefills.empty() ? "decode" : "prefill"); });
    finding.where = steps.span();
    findings.push_back(std::move(finding));
}

std::vector<Finding> findTokenTimes(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (const auto& [pid, steps] : context.facts.allSteps())
        report(context, steps, findings);
    return findings;
}

} // namespace

extern constinit const Rule tokenTimes{
    .id = id,
    .title = "Time to the first token, and for each further one",
    .why = "These two are what users of a model feel. A prompt takes long because it is long; a token should "
           "take about as long as reading the weights once.",
    .remedy = "Compare with the weights' size over the memory's bandwidth: that is the least time of a "
              "token for few requests. Prompts in chunks keep steps short for those "
              "who already wait for tokens.",
    .caveat = "Steps are told apart by their names; other requests share the GPU.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace, const std::stop_token&) { return !trace.nvtx().empty(); },
    .check = findTokenTimes,
};

} // namespace warpline
