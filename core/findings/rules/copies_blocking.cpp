// Copies and memsets that block the host: asynchronous copies from or to pageable memory (which are in fact
// synchronous), synchronous copies, and synchronous memsets of host-accessible memory. The same as nsys
// analyze lists under these names, but each copy once: nsys' own join repeats copies whose correlation id two
// devices or two API records share.

#include "core/base/message_names.h"
#include "core/findings/cure_edits.h"
#include "core/findings/evidence.h"
#include "core/findings/host_calls.h"
#include "core/store/attributes.h"

namespace warpline::copies_blocking {

namespace {

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

Message copyNote(const Trace& trace, EventRef event)
{
    const CopyAttributes& copy = trace.memcpys().copy(event.index);
    return {"copies_blocking.copy", "{bytes}, {source} to {destination}",
        {{"bytes", Bytes{trace.memcpys().bytes[event.index]}},
            {"source", Name{std::string(labelOf(copy.source))}},
            {"destination", Name{std::string(labelOf(copy.destination))}}}};
}

std::uint64_t bytesOf(const Trace& trace, const std::vector<EventRef>& copies)
{
    std::uint64_t bytes = 0;
    for (const EventRef& copy : copies)
        bytes += trace.memcpys().bytes[copy.index];
    return bytes;
}

/// `kind` is "pageable" or "synchronous".
std::vector<Finding> copyFinding(
    const RuleContext& context, const std::vector<EventRef>& copies, std::string kind, Ns saving)
{
    if (copies.empty())
        return {};
    const Ns total = totalDuration(context.trace, copies);
    const std::uint64_t bytes = bytesOf(context.trace, copies);
    Finding finding = findingOn(context, 0, -1, saving);
    finding.confidence = Confidence::Certain;
    finding.claims = besideKernels(context, copies);
    finding.title = Message("copies_blocking.title",
        "{copies} {kind, select, pageable {asynchronous} other {synchronous}} {copies, plural, one {copy} other "
        "{copies}}{kind, select, pageable { from or to pageable memory} other {}} {copies, plural, one {takes} other "
        "{take}} {time}{more, select, yes {, {saving} with the idle time around} other {}}",
        {{"copies", Count{copies.size()}}, {"kind", Name{kind}}, {"time", Duration{total}},
            {"more", yesOrNo(saving > total)}, {"saving", Duration{saving}}});
    finding.message = Message("copies_blocking.rate",
        "They copy {bytes} at {rate} on average; the longest takes {longest}.",
        {{"bytes", Bytes{bytes}},
            {"rate", Rate{total > 0 ? static_cast<double>(bytes) * 1e9 / static_cast<double>(total) : 0}},
            {"longest", Duration{context.trace.range(copies.front()).duration()}}});
    if (saving > total)
        finding.message += Message("copies_blocking.with_calls",
            "They hold the GPU up for {saving}: the copies and up to {margin} of their calls on each side, while no kernel "
            "runs.",
            {{"saving", Duration{saving}}, {"margin", Duration{callMargin}}});
    if (const Ns host = timeInCalls(context.trace, copies); host > total)
        finding.message += Message("copies_blocking.host",
            "The host spends {time} in their calls, including waits for earlier kernels.",
            {{"time", Duration{host}}});
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
    return copyFinding(context, copies, "pageable", totalDuration(trace, copies));
}

std::vector<Finding> findSynchronous(const RuleContext& context)
{
    const Trace& trace = context.trace;
    const auto copies = longestFirst(context, EventKind::Memcpy, [&](EventIndex i) {
        const std::string_view call = callName(trace, {EventKind::Memcpy, i});
        return (call.starts_with("cudaMemcpy") || call.starts_with("hipMemcpy")) && !isAsync(call);
    });
    // The host waits for the whole call, not only for the copy.
    return copyFinding(context, copies, "synchronous", timeBesideKernels(context, copies));
}

std::vector<Finding> findMemsets(const RuleContext& context)
{
    const Trace& trace = context.trace;
    const EventTable& sets = trace.table(EventKind::Memset);
    const auto found = longestFirst(context, EventKind::Memset, [&](EventIndex i) {
        // Memsets of device memory return at once, whatever the call's name: only host and managed memory
        // block.
        const MemoryKind memory = memoryOfSet(trace, i);
        const bool blocks = memory == MemoryKind::Pinned || memory == MemoryKind::Managed
            || memory == MemoryKind::ManagedStatic || memory == MemoryKind::Pageable;
        const std::string_view call = callName(trace, {EventKind::Memset, i});
        return blocks && (call.starts_with("cudaMemset") || call.starts_with("hipMemset")) && !isAsync(call);
    });
    if (found.empty())
        return {};
    Finding finding = findingOn(context, 0, -1, totalDuration(trace, found));
    finding.confidence = Confidence::Certain;
    finding.title = Message("copies_blocking.memsets",
        "{memsets, plural, one {# synchronous memset takes} other {# synchronous memsets take}} {time}",
        {{"memsets", Count{found.size()}}, {"time", Duration{finding.saving}}});
    finding.message = Message("copies_blocking.longest_memset", "The longest takes {time}.",
        {{"time", Duration{trace.range(found.front()).duration()}}});
    setEvidence(finding, trace, found, [&](EventRef event) {
        return Message("copies_blocking.memset", "{bytes}, {memory}",
            {{"bytes", Bytes{sets.bytes[event.index]}},
                {"memory", Name{std::string(labelOf(memoryOfSet(trace, event.index)))}}});
    });
    return only(std::move(finding));
}

} // namespace

extern constinit const Rule pageableAsyncCopies{
    .id = "cuda_memcpy_async",
    .title = "Asynchronous copies from or to pageable memory",
    .why
    = "The driver stages a copy from or to pageable memory through its own buffer. So cudaMemcpyAsync blocks the "
      "calling thread, cannot overlap with kernels, and reaches about half of the link's bandwidth.",
    .remedy
    = "Allocate the host memory with cudaMallocHost or cudaHostAlloc, or pin it with cudaHostRegister.",
    .caveat = "A library may return pageable memory only. Small copies gain nothing.",
    .applies = hasEvents<EventKind::Memcpy>,
    .check = findPageable,
};

extern constinit const Rule synchronousCopies{
    .id = "cuda_memcpy_sync",
    .title = "Synchronous copies",
    .why
    = "cudaMemcpy returns only when the copy is complete. The thread cannot prepare or launch more work in that "
      "time, and the GPU goes idle.",
    .remedy
    = "Use cudaMemcpyAsync on pinned memory in a stream, and wait (event or stream) only where the data is used. "
      "Merge small copies.",
    .caveat = "A synchronous copy may be intended, for a result that is needed at once.",
    .applies = hasEvents<EventKind::Memcpy>,
    .check = findSynchronous,
};

extern constinit const Rule synchronousMemsets{
    .id = "cuda_memset_sync",
    .title = "Synchronous memsets",
    .why = "cudaMemset on pinned or managed memory blocks the host until it is complete.",
    .remedy = "Use cudaMemsetAsync in a stream.",
    .caveat = "A synchronous memset may be intended.",
    .applies = hasEvents<EventKind::Memset>,
    .check = findMemsets,
};

} // namespace warpline::copies_blocking
