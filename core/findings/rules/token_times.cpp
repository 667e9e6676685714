// Latencies of a model server: the time until the first token (prefill) and the time of each further one
// (decode), where names distinguish these steps. Times are those of the table serving_steps: see
// core/steps/serving.h.

#include "core/analysis/trace_analysis.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/steps/serving.h"

#include <algorithm>
#include <array>

namespace warpline::token_times {

namespace {

constexpr std::string_view id = "token_times";
constexpr Threshold minSteps{"min_steps", "Minimum number of decode steps", "", 5};
constexpr std::array thresholds{minSteps};

/// How long users wait for the steps of some kinds, and the steps themselves.
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

/// Statistics over the steps that are `wanted`, with `time` for each.
template <typename Wanted, typename Time>
Lengths lengthsOf(const Serving& serving, const Wanted& wanted, const Time& time)
{
    Lengths found;
    for (const ServingStep& step : serving.steps) {
        if (!step.counts || !wanted(step))
            continue;
        found.lengths.push_back(time(step));
        found.events.push_back(step.range);
        found.requests += std::max<std::int64_t>(0, step.served.outputTokens);
    }
    return found;
}

Ns tokenTimeOf(const ServingStep& step)
{
    return step.tokenTime;
}

Ns firstTokenOf(const ServingStep& step)
{
    return step.done - step.host.start;
}

/// The time in which a GPU of the process works during `prefill`.
Ns workIn(const RuleContext& context, const StepSeries& steps, TimeRange prefill)
{
    Ns most = 0;
    for (const GpuFacts* const gpu : context.facts.gpusOf(steps.thread))
        most = std::max(most, totalTime(gpu->busy, prefill));
    return most;
}

/// True for a first prompt in which the GPU hardly works: the process still starts, so it is not
/// representative.
bool isCold(const RuleContext& context, const StepSeries& steps, const Lengths& prefills)
{
    constexpr Ns few = 10; // a tenth of the time
    if (prefills.lengths.size() != 1)
        return false;
    const TimeRange range = context.trace.range(prefills.events.front());
    return workIn(context, steps, range) * few < range.duration();
}

Message firstTokenText(const RuleContext& context, const StepSeries& steps, Lengths& prefills)
{
    if (isCold(context, steps, prefills))
        return Message("token_times.cold",
                   "The only prompt is the first one: {time}, of which the GPU works for {busy}.",
                   {{"time", Duration{prefills.lengths.front()}},
                       {"busy",
                           Duration{workIn(context, steps, context.trace.range(prefills.events.front()))}}})
            + Message("token_times.cold_start",
                "It loads code and allocates memory, so it says nothing about the first token of later requests.");
    if (prefills.lengths.size() == 1)
        return {"token_times.prompt",
            "Processing the prompt takes {time}: the time to the first token, without waiting in a queue.",
            {{"time", Duration{prefills.lengths.front()}}}};
    return {"token_times.prompts",
        "{prompts} prompts or groups of them take {median} each at the median and {p99} at the 99th percentile: the time to "
        "the first token, without a queue.",
        {{"prompts", Count{prefills.lengths.size()}}, {"median", Duration{prefills.at(0.5)}},
            {"p99", Duration{prefills.at(0.99)}}}};
}

/// Bytes that the program copies to `gpu` before its first kernel, mostly weights. 0: none.
std::uint64_t bytesBeforeKernels(const Trace& trace, const GpuFacts& gpu)
{
    const MemcpyTable& copies = trace.memcpys();
    const Ns first = gpu.compute.empty() ? 0 : gpu.compute.front().start;
    std::uint64_t bytes = 0;
    forEachOfKind(gpu, EventKind::Memcpy, {}, [&](EventRef copy) {
        if (copies.start[copy.index] < first && copies.copy(copy.index).kind == CopyKind::HtoD)
            bytes += copies.bytes[copy.index];
    });
    return bytes;
}

/// The minimum time to read the weights once, where the report shows their size.
Message weightsText(const RuleContext& context, const StepSeries& steps, Ns token)
{
    constexpr std::uint64_t fewest = 10'000'000; // less is input, no model
    const std::vector<const GpuFacts*> gpus = context.facts.gpusOf(steps.thread);
    if (gpus.size() != 1)
        return {};
    const GpuFacts& gpu = *gpus.front();
    const Device* const device = context.trace.device(gpu.process, gpu.device);
    const std::uint64_t bytes = bytesBeforeKernels(context.trace, gpu);
    if (!device || device->memoryBandwidth <= 0 || bytes < fewest)
        return {};
    const double least = static_cast<double>(bytes) * 1e9 / static_cast<double>(device->memoryBandwidth);
    const double times = static_cast<double>(token) / least;
    return Message("token_times.weights",
               "Before its first kernel, the program copies {bytes} to the GPU, probably the weights.",
               {{"bytes", Bytes{bytes}}})
        + Message("token_times.read_weights",
            "Reading them once takes {time} or more (memory bandwidth {rate}). A token takes {times} times that.",
            {{"time", Duration{static_cast<Ns>(least)}},
                {"rate", Rate{static_cast<double>(device->memoryBandwidth)}},
                {"times", Number{times, times < 10 ? 1 : 0}}});
}

void report(const RuleContext& context, const StepSeries& steps, std::vector<Finding>& findings)
{
    const auto servesTokens = [](const StepPeers& group) {
        return group.work.kind == StepKind::Decode || group.work.kind == StepKind::Mixed;
    };
    if (std::ranges::none_of(steps.groups, servesTokens))
        return;
    const Serving serving = servingOf(context.trace, steps, context.stop);
    Lengths decodes = lengthsOf(serving, hasFurtherTokens, tokenTimeOf);
    Lengths prefills = lengthsOf(serving, hasPrompts, firstTokenOf);
    Lengths mixed = lengthsOf(
        serving, [](const ServingStep& step) { return hasPrompts(step) && hasFurtherTokens(step); },
        tokenTimeOf);
    Lengths alone = lengthsOf(
        serving, [](const ServingStep& step) { return !hasPrompts(step) && hasFurtherTokens(step); },
        tokenTimeOf);
    if (!context.reaches(id, minSteps, decodes.lengths.size()))
        return;
    Finding finding = findingWith(Severity::Info, Confidence::Certain, processOf(steps.thread));
    const Name first{prefills.empty() ? "none" : isCold(context, steps, prefills) ? "cold" : "warm"};
    finding.title = Message("token_times.title",
        "{median} per token at the median, {p99} at the 99th percentile{first, select, none {} cold {; first token after "
        "{prompt}, cold} other {; first token after {prompt}}}",
        {{"median", Duration{decodes.at(0.5)}}, {"p99", Duration{decodes.at(0.99)}}, {"first", first},
            {"prompt", Duration{prefills.empty() ? Ns{0} : prefills.at(0.5)}}});
    finding.message = Message("token_times.decodes",
        "{steps, plural, one {# decode step takes} other {# decode steps take}} {median} each at the median, {p90} at the 90th "
        "and {p99} at the 99th percentile ({pattern}).",
        {{"steps", Count{decodes.lengths.size()}}, {"median", Duration{decodes.at(0.5)}},
            {"p90", Duration{decodes.at(0.9)}}, {"p99", Duration{decodes.at(0.99)}},
            {"pattern", Name{steps.pattern}}});
    finding.message += Message("token_times.counted",
        "The time counts from the end of the previous step to the end of the GPU's work.");
    if (decodes.requests > 0)
        finding.message += Message("token_times.rate",
            "They make {rate} tokens per second, for {requests} requests at a time.",
            {{"rate",
                 Number{
                     static_cast<double>(decodes.requests) * 1e9 / static_cast<double>(decodes.total()), 0}},
                {"requests",
                    Number{
                        static_cast<double>(decodes.requests) / static_cast<double>(decodes.lengths.size()),
                        1}}});
    if (!prefills.empty())
        finding.message += firstTokenText(context, steps, prefills);
    finding.message += weightsText(context, steps, decodes.at(0.5));
    if (!mixed.empty() && !alone.empty()) {
        finding.message += Message("token_times.mixed",
            "{steps, plural, one {# step processes} other {# steps process}} prompts and tokens together and {steps, plural, "
            "one {takes} other {take}} {median} each at the median.",
            {{"steps", Count{mixed.lengths.size()}}, {"median", Duration{mixed.at(0.5)}}});
        finding.message
            += Message("token_times.longer", "Running requests wait {time} longer for their token.",
                {{"time", Duration{std::max<Ns>(0, mixed.at(0.5) - alone.at(0.5))}}});
    }
    setEvidence(finding, context.trace, prefills.empty() ? decodes.events : prefills.events,
        {"token_times.step", "{kind, select, decode {decode} other {prefill}}",
            {{"kind", Name{prefills.empty() ? "decode" : "prefill"}}}});
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
    .title = "Time per token, and to the first token",
    .why
    = "Users notice these two times. A long prompt takes long; a token should take about as long as reading the weights once.",
    .remedy
    = "Compare with the size of the weights divided by the memory bandwidth: the minimum time per token for few "
      "requests. Chunked prefill keeps steps short for requests that already wait for tokens.",
    .caveat = "Steps are distinguished by their names. Other requests share the GPU.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Nvtx>,
    .check = findTokenTimes,
};

} // namespace warpline::token_times
