// Copies and sets that make the host wait: asynchronous copies from or to pageable memory (which are
// synchronous in truth), synchronous copies, and synchronous sets of memory that the host can touch. They
// list what nsys analyze lists under the same names, each copy once: nsys' own join repeats copies whose
// correlation id two devices or two API records share.

#include "core/base/format.h"
#include "core/findings/copy_calls.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/store/attributes.h"

#include <fmt/format.h>

#include <set>

namespace warpline {

namespace {

bool hasCopies(const Trace& trace, const std::stop_token&)
{
    return !trace.memcpys().empty();
}

/// The name of the call that started `event`; empty when unknown.
std::string_view callName(const Trace& trace, EventRef event)
{
    const EventRef call = trace.apiCallOf(event);
    return call.valid() ? trace.name(call) : std::string_view();
}

bool isAsync(std::string_view call)
{
    return call.find("Async") != std::string_view::npos || call.find("async") != std::string_view::npos;
}

std::string copyNote(const Trace& trace, EventRef event)
{
    const CopyAttributes& copy = trace.memcpys().copy(event.index);
    return fmt::format("{}, {} to {}", formatBytes(trace.memcpys().bytes[event.index]), labelOf(copy.source),
        labelOf(copy.destination));
}

std::uint64_t bytesOf(const Trace& trace, const std::vector<EventRef>& copies)
{
    std::uint64_t bytes = 0;
    for (const EventRef& copy : copies)
        bytes += trace.memcpys().bytes[copy.index];
    return bytes;
}

/// How long the calls of `copies` take the host, each call once.
Ns timeInCalls(const Trace& trace, const std::vector<EventRef>& copies)
{
    std::set<EventIndex> calls;
    Ns total = 0;
    for (const EventRef& copy : copies) {
        const EventRef call = trace.apiCallOf(copy);
        if (call.valid() && calls.insert(call.index).second)
            total += trace.range(call).duration();
    }
    return total;
}

std::vector<Finding> copyFinding(const RuleContext& context, const std::vector<EventRef>& copies,
    std::string_view one, std::string_view many, Ns saving)
{
    if (copies.empty())
        return {};
    Finding finding;
    const Ns total = totalDuration(context.trace, copies);
    const std::uint64_t bytes = bytesOf(context.trace, copies);
    finding.confidence = Confidence::Certain;
    finding.saving = saving;
    finding.severity = severityOf(context, saving);
    finding.claims = besideKernels(context, copies);
    const std::string what = counted(copies.size(), one, many);
    finding.title = saving > total ? fmt::format("{} took {}, {} with what is around them", what,
                        formatDuration(total), formatDuration(saving))
                                   : fmt::format("{} took {}", what, formatDuration(total));
    finding.message = fmt::format("{} in {}: {} in all, {} on average; the longest took {}.",
        formatBytes(bytes), what, formatDuration(total),
        formatThroughput(total > 0 ? static_cast<double>(bytes) * 1e9 / static_cast<double>(total) : 0),
        formatDuration(context.trace.range(copies.front()).duration()));
    if (saving > total)
        finding.message += fmt::format(
            " Without the time in which kernels run, and with up to {} of each call before and after its copy, "
            "they hold the GPU up for {}.",
            formatDuration(callMargin), formatDuration(saving));
    if (const Ns host = timeInCalls(context.trace, copies); host > total)
        finding.message
            += fmt::format(" The host spends {} in their calls, waits for kernels before them included.",
                formatDuration(host));
    finding.cure.edits.push_back(editOf(CureKind::AsyncCopies, copies));
    setEvidence(
        finding, context.trace, copies, [&](EventRef event) { return copyNote(context.trace, event); });
    return only(std::move(finding));
}

std::vector<Finding> findPageable(const RuleContext& context)
{
    const Trace& trace = context.trace;
    const auto copies = longestFirst(context, EventKind::Memcpy, [&](EventIndex i) {
        const CopyAttributes& copy = trace.memcpys().copy(i);
        const bool pageable = copy.source == MemoryKind::Pageable || copy.destination == MemoryKind::Pageable;
        return pageable && isAsync(callName(trace, {EventKind::Memcpy, i}));
    });
    return copyFinding(context, copies, "asynchronous copy from or to pageable memory",
        "asynchronous copies from or to pageable memory", totalDuration(trace, copies));
}

std::vector<Finding> findSynchronous(const RuleContext& context)
{
    const Trace& trace = context.trace;
    const auto copies = longestFirst(context, EventKind::Memcpy, [&](EventIndex i) {
        const std::string_view call = callName(trace, {EventKind::Memcpy, i});
        return (call.starts_with("cudaMemcpy") || call.starts_with("hipMemcpy")) && !isAsync(call);
    });
    // The host waits for the whole call, not only for the copy.
    return copyFinding(
        context, copies, "synchronous copy", "synchronous copies", timeBesideKernels(context, copies));
}

std::vector<Finding> findMemsets(const RuleContext& context)
{
    const Trace& trace = context.trace;
    const EventTable& sets = trace.table(EventKind::Memset);
    const auto found = longestFirst(context, EventKind::Memset, [&](EventIndex i) {
        // Sets of device memory return at once, whatever the call's name: only memory of the host or managed
        // blocks.
        const MemoryKind memory = memoryOfSet(trace, i);
        const bool blocks = memory == MemoryKind::Pinned || memory == MemoryKind::Managed
            || memory == MemoryKind::ManagedStatic || memory == MemoryKind::Pageable;
        const std::string_view call = callName(trace, {EventKind::Memset, i});
        return blocks && (call.starts_with("cudaMemset") || call.starts_with("hipMemset")) && !isAsync(call);
    });
    if (found.empty())
        return {};
    Finding finding;
    finding.confidence = Confidence::Certain;
    finding.saving = totalDuration(trace, found);
    finding.severity = severityOf(context, finding.saving);
    finding.title = fmt::format(
        "{} took {}", counted(found.size(), "synchronous memset"), formatDuration(finding.saving));
    finding.message
        = fmt::format("The longest took {}.", formatDuration(trace.range(found.front()).duration()));
    setEvidence(finding, trace, found, [&](EventRef event) {
        return fmt::format(
            "{}, {}", formatBytes(sets.bytes[event.index]), labelOf(memoryOfSet(trace, event.index)));
    });
    return only(std::move(finding));
}

} // namespace

extern constinit const Rule pageableAsyncCopies{
    .id = "cuda_memcpy_async",
    .title = "Asynchronous copies from or to pageable memory",
    .why = "The driver must stage a copy from or to pageable memory through a buffer of its own, so "
           "cudaMemcpyAsync blocks the calling thread, cannot overlap with kernels, and reaches about "
           "half of the link's bandwidth.",
    .remedy = "Allocate the host side with cudaMallocHost or cudaHostAlloc, or pin it with "
              "cudaHostRegister.",
    .caveat = "Pageable memory may be all that the library hands out; small copies gain nothing.",
    .thresholds = {},
    .applies = hasCopies,
    .check = findPageable,
};

extern constinit const Rule synchronousCopies{
    .id = "cuda_memcpy_sync",
    .title = "Synchronous copies",
    .why = "cudaMemcpy returns only when the copy is complete: the thread cannot prepare or launch "
           "further work meanwhile, and the GPU goes idle.",
    .remedy = "Use cudaMemcpyAsync on pinned memory in a stream, and wait (event or stream) only where the "
              "data is used. Join small copies to one.",
    .caveat = "A synchronous copy may be meant: a result that is needed at once.",
    .thresholds = {},
    .applies = hasCopies,
    .check = findSynchronous,
};

extern constinit const Rule synchronousMemsets{
    .id = "cuda_memset_sync",
    .title = "Synchronous memsets",
    .why = "cudaMemset on pinned or managed memory blocks the host until it is complete.",
    .remedy = "Use cudaMemsetAsync in a stream.",
    .caveat = "A synchronous set may be meant.",
    .thresholds = {},
    .applies
    = [](const Trace& trace, const std::stop_token&) { return !trace.table(EventKind::Memset).empty(); },
    .check = findMemsets,
};

} // namespace warpline
