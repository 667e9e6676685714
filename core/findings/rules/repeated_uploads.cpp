// Copies to the GPU that repeat in every round with the same size: constant data needs one copy only. The
// report does not show the content, so this is a question to the reader. Programs that load a new batch in
// each round are exempt.

#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/replay/data_loading.h"
#include "core/store/event_loops.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace warpline::repeated_uploads {

namespace {

constexpr std::string_view id = "repeated_uploads";
constexpr Threshold minBytes{"min_bytes", "Minimum bytes of a copy", "B", 64 * 1024};
constexpr Threshold minRounds{
    "min_rounds", "Minimum number of copies of one size with kernels between", "", 8};
constexpr Threshold minShare{"min_share", "Minimum share of the measured time that the copies take", "%", 5};
constexpr std::array thresholds{minBytes, minRounds, minShare};
constexpr std::array<std::string_view, 1> absorbed{"copies_not_overlapped"};
constexpr std::size_t maxSizes = 3; ///< named in a message

/// Copies to the GPU of one size.
struct Size {
    std::uint64_t bytes = 0;
    std::vector<EventRef> copies;
    std::uint64_t rounds = 0; ///< copies with a kernel since the one before
    bool fresh = true; ///< a kernel ran since the last
};

std::vector<Size> repeatedSizes(const RuleContext& context, const GpuFacts& gpu)
{
    const MemcpyTable& copies = context.trace.memcpys();
    const auto least = static_cast<std::uint64_t>(context.threshold(id, minBytes));
    std::map<std::uint64_t, Size> sizes;
    std::vector<Size*> stale; // those that wait for a kernel
    for (const std::uint32_t packed : stoppableItems(gpu.work, context.stop)) {
        const EventRef event = Links::unpack(packed);
        if (event.kind == EventKind::Kernel || event.kind == EventKind::GraphTrace) {
            for (Size* const size : stale)
                size->fresh = true;
            stale.clear();
        }
        if (event.kind != EventKind::Memcpy || copies.copy(event.index).kind != CopyKind::HtoD
            || copies.bytes[event.index] < least)
            continue;
        Size& size = sizes[copies.bytes[event.index]];
        size.bytes = copies.bytes[event.index];
        size.copies.push_back(event);
        size.rounds += size.fresh ? 1 : 0;
        if (size.fresh)
            stale.push_back(&size);
        size.fresh = false;
    }
    std::vector<Size> repeated;
    for (auto& [bytes, size] : sizes) {
        if (context.reaches(id, minRounds, size.rounds))
            repeated.push_back(std::move(size));
    }
    std::ranges::stable_sort(
        repeated, std::greater{}, [](const Size& size) { return size.bytes * size.copies.size(); });
    return repeated;
}

/// Whether the program's own ranges mark loading of data. Reads each name once.
bool anyRangeLoads(const RuleContext& context)
{
    return anyName(context.trace.nvtx(), context.stop,
        [&](StringId name) { return isDataLoading(context.trace.text(name)); });
}

/// Whether the steps of the GPU's process are batches, with new data in each round.
bool stepsAreBatches(const RuleContext& context, const GpuFacts& gpu)
{
    TraceAnalysis& facts = context.facts;
    return containsWord(facts.steps(gpu.process).pattern, "batch")
        || containsWord(facts.steps(gpu.process).pattern, "epoch");
}

Finding findingOf(const RuleContext& context, const GpuFacts& gpu, const std::vector<Size>& sizes)
{
    const Trace& trace = context.trace;
    std::vector<EventRef> again;
    std::vector<Message> list;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        again.insert(again.end(), sizes[i].copies.begin() + 1, sizes[i].copies.end()); // one is needed
        if (i < maxSizes)
            list.push_back(Message("repeated_uploads.size", "{bytes} {count} times",
                {{"bytes", Bytes{sizes[i].bytes}}, {"count", Count{sizes[i].copies.size()}}}));
    }
    Finding finding = findingOn(context, gpu.process, gpu.device, besideKernels(context, again));
    finding.confidence = Confidence::Possible;
    finding.title = Message("repeated_uploads.title",
        "{gpu}: the same sizes are copied to the GPU again and again: {most}",
        {{"gpu", Name{nameOf(trace, gpu)}}, {"most", list.front()}});
    finding.message = Message(
        "repeated_uploads.sizes", "With kernels between them: {sizes}.", {{"sizes", std::move(list)}});
    finding.message += Message("repeated_uploads.time",
        "These copies take {time} on the GPU; all its kernels take {kernels}.",
        {{"time", Duration{totalDuration(trace, again)}}, {"kernels", Duration{totalTime(gpu.compute)}}});
    finding.message += Message("repeated_uploads.values",
        "If the values do not change, one copy before the loop is enough. The report does not show whether they do.");
    // Copies that can hide behind kernels are a saving even if their data differs.
    if (totalTime(gpu.compute, context.facts.measuredRange()) >= finding.saving) {
        finding.topic = "copies_not_overlapped";
        finding.confidence = Confidence::Likely;
        finding.title = Message("repeated_uploads.exposed",
            "{gpu} computes nothing for {time} while it copies the same sizes in every round",
            {{"gpu", Name{nameOf(trace, gpu)}}, {"time", Duration{finding.saving}}});
        finding.remedy = Message("repeated_uploads.overlap",
            "Copy the data of the next round in a stream of its own while this round computes (double buffering, from "
            "pinned memory). If the values do not change, copy them once before the loop.");
    }
    const bool hides = finding.topic == "copies_not_overlapped";
    finding.cure.edits.push_back(editOf(hides ? CureKind::OverlapCopies : CureKind::RemoveWork, again));
    sortLongestFirst(trace, again);
    setSizedEvidence(finding, trace, again, "repeated_uploads.again", "{bytes}, as before");
    return finding;
}

std::vector<Finding> findRepeated(const RuleContext& context)
{
    std::vector<Finding> findings;
    TraceAnalysis& facts = context.facts;
    std::optional<bool> loads; // of all GPUs; computed on first use
    for (const GpuFacts& gpu : facts.gpus()) {
        const std::vector<Size> sizes = repeatedSizes(context, gpu);
        if (sizes.empty())
            continue;
        if (!loads)
            loads = anyRangeLoads(context);
        if (*loads || stepsAreBatches(context, gpu))
            continue;
        Finding finding = findingOf(context, gpu, sizes);
        if (context.reachesShare(id, minShare, finding.saving, facts.measured()))
            findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule repeatedUploads{
    .id = id,
    .title = "The same data copied to the GPU in every round",
    .why
    = "Data on the GPU stays there until it is freed. Copying it again in each round uses the link each time, and the kernels wait for it.",
    .remedy = "Copy once before the loop, and copy only what has changed inside it.",
    .caveat = "Based on size only: new data of the same size has to be copied.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::Memcpy, EventKind::Kernel>,
    .check = findRepeated,
    .absorbs = absorbed,
};

} // namespace warpline::repeated_uploads
