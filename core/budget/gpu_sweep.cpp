// One pass over all work of a GPU in order of time: a heap holds the next boundary of each lane, a mask the
// active parts. The lowest bit of the mask decides the part, so overlaps count once, and the order of the
// bits is the precedence.

#include "core/budget/gpu_sweep.h"

#include "core/base/stop.h"
#include "core/derive/tracks_of.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpline {

namespace {

/// Bits by precedence; kernel classes take the lowest bits.
enum Bit : unsigned {
    waitBit = maxKernelClasses,
    transferBit,
    toGpuBit,
    toHostBit,
    otherCopyBit,
    setBit,
    pagesBit,
    faultBit,
    bits
};
static_assert(bits <= 64);

constexpr std::uint64_t kernelMask = (std::uint64_t{1} << maxKernelClasses) - 1;
constexpr std::uint64_t maskOf(unsigned bit)
{
    return std::uint64_t{1} << bit;
}

/// The events of one lane, or a list of ranges, as boundaries in order of time.
struct Stream {
    const EventTable* table; ///< nullptr: ranges
    const Waits* ranges;
    std::uint32_t next;
    std::uint32_t last;
    bool inside; ///< the next boundary is the end of event `next`
    unsigned bit = waitBit; ///< of ranges

    Ns time() const
    {
        if (table)
            return inside ? table->end(next) : table->start[next];
        return inside ? (*ranges)[next].end : (*ranges)[next].start;
    }
};

unsigned bitOfCopy(const CopyAttributes& copy)
{
    if (isFaultMigration(copy))
        return stallsKernels(copy) ? faultBit : pagesBit;
    if (comesToGpu(copy.kind))
        return toGpuBit;
    return leavesGpu(copy.kind) ? toHostBit : otherCopyBit;
}

class Sweeper {
public:
    Sweeper(const Trace& trace, const BudgetParts& parts, const TraceClasses& classes,
        const std::function<void(const GpuSweep&)>& take)
        : m_trace(trace),
          m_parts(parts),
          m_classes(classes),
          m_take(take)
    {
    }

    void addWork(GpuOfProcess gpu)
    {
        for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset,
                 EventKind::GraphTrace, EventKind::PageFault}) {
            const EventTable& table = m_trace.table(kind);
            for (const Track& track : TracksOf::ofProcess(m_trace, kind, gpu.first)) {
                if (track.device != gpu.second)
                    continue;
                for (const Lane& lane : table.lanesOf(track))
                    m_streams.push_back({&table, nullptr, lane.first, lane.first + lane.count, false});
            }
        }
    }
    /// Adds disjoint ranges in order, which must outlive the sweep.
    void addRanges(const std::vector<TimeRange>& ranges, unsigned bit)
    {
        m_streams.push_back({nullptr, &ranges, 0, static_cast<std::uint32_t>(ranges.size()), false, bit});
    }

    void run(TimeRange session, const std::stop_token& stop)
    {
        for (std::uint32_t s = 0; s < m_streams.size(); ++s)
            push(s);
        m_sweep.start.push_back(
            m_heap.empty() ? session.start : std::min(session.start, m_heap.front().first));
        m_sweep.part.push_back(GpuSweep::idle);
        StopCheck check(stop);
        while (!m_heap.empty()) {
            check.step();
            const Ns time = m_heap.front().first;
            m_nextWork = noIndex;
            m_nextCall = noIndex;
            while (!m_heap.empty() && m_heap.front().first == time)
                advance();
            changeTo(time, partNow());
        }
        if (m_sweep.part.back() == GpuSweep::idle)
            m_sweep.nextCall.push_back(noIndex);
        m_sweep.end = std::max(session.end, m_sweep.start.back());
        m_sweep.isLast = true;
        m_take(m_sweep);
    }

private:
    using Boundary = std::pair<Ns, std::uint32_t>; ///< time, stream

    void push(std::uint32_t s)
    {
        Stream& stream = m_streams[s];
        // Marks take no time.
        while (!stream.inside && stream.next < stream.last && stream.table
            && stream.table->duration[stream.next] <= 0)
            ++stream.next;
        if (stream.next >= stream.last)
            return;
        m_heap.emplace_back(stream.time(), s);
        std::ranges::push_heap(m_heap, std::greater{});
    }

    void advance()
    {
        std::ranges::pop_heap(m_heap, std::greater{});
        const std::uint32_t s = m_heap.back().second;
        m_heap.pop_back();
        Stream& stream = m_streams[s];
        const unsigned bit = bitOf(stream);
        if (stream.inside) {
            if (--m_active[bit] == 0)
                m_mask &= ~maskOf(bit);
            ++stream.next;
        } else {
            if (m_active[bit]++ == 0)
                m_mask |= maskOf(bit);
            noteLaunch(stream);
        }
        stream.inside = !stream.inside;
        push(s);
    }

    unsigned bitOf(const Stream& stream) const
    {
        if (!stream.table)
            return stream.bit;
        switch (stream.table->kind) {
        case EventKind::Kernel: {
            const std::uint8_t kernelClass = m_classes.ofName[raw(stream.table->name[stream.next])];
            return kernelClass == m_classes.communication ? unsigned{transferBit} : unsigned{kernelClass};
        }
        case EventKind::Memcpy:
            return bitOfCopy(m_trace.memcpys().copy(stream.next));
        case EventKind::Memset:
            return setBit;
        case EventKind::GraphTrace:
            return static_cast<unsigned>(m_classes.graph);
        default:
            return faultBit;
        }
    }

    /// Of work that starts at the same time, the first by kind and index ends the idle gap.
    void noteLaunch(const Stream& stream)
    {
        if (!stream.table || !isGpuWork(stream.table->kind))
            return;
        if (stream.table->kind != EventKind::Memcpy || !isFaultMigration(m_trace.memcpys().copy(stream.next)))
            m_sweep.lastLaunched = stream.time();
        if (!m_trace.links)
            return;
        const std::uint32_t work = Links::pack({stream.table->kind, stream.next});
        const auto& calls = m_trace.links->apiOf[indexOf(stream.table->kind)];
        const EventIndex call = stream.next < calls.size() ? calls[stream.next] : noIndex;
        if (call != noIndex && work < m_nextWork) {
            m_nextWork = work;
            m_nextCall = call;
            m_sweep.lastCall = call;
        }
    }

    std::uint16_t partNow() const
    {
        const std::uint64_t kernels = m_mask & kernelMask;
        if (kernels != 0 && (m_mask & maskOf(faultBit)) != 0)
            return static_cast<std::uint16_t>(m_parts.pages());
        if (kernels != 0)
            return static_cast<std::uint16_t>(
                m_parts.compute(static_cast<std::size_t>(std::countr_zero(kernels))));
        // Waiting ends with its kernel at the latest, whatever the estimate is.
        if ((m_mask & maskOf(waitBit)) != 0 && (m_mask & maskOf(transferBit)) != 0)
            return static_cast<std::uint16_t>(m_parts.wait());
        constexpr std::array<unsigned, 7> order{
            transferBit, toGpuBit, toHostBit, otherCopyBit, setBit, pagesBit, faultBit};
        const std::array<std::size_t, 7> part{m_parts.transfer(), m_parts.copyToGpu(), m_parts.copyToHost(),
            m_parts.copyOther(), m_parts.set(), m_parts.pages(), m_parts.pages()};
        for (std::size_t i = 0; i < order.size(); ++i) {
            if ((m_mask & maskOf(order[i])) != 0)
                return static_cast<std::uint16_t>(part[i]);
        }
        return GpuSweep::idle;
    }

    void changeTo(Ns time, std::uint16_t part)
    {
        if (m_nextCall != noIndex) {
            for (const std::size_t gap : m_unknown)
                m_sweep.nextCall[gap] = m_nextCall;
            m_unknown.clear();
        }
        if (part == m_sweep.part.back())
            return;
        if (time == m_sweep.start.back()) { // work from the first moment on
            m_sweep.part.back() = part;
            return;
        }
        if (m_sweep.part.back() == GpuSweep::idle) {
            if (m_nextCall == noIndex)
                m_unknown.push_back(m_sweep.nextCall.size());
            m_sweep.nextCall.push_back(m_nextCall);
        }
        if (m_sweep.start.size() >= handedOver && m_unknown.empty()) {
            m_sweep.end = time;
            m_take(m_sweep);
            m_sweep.start.clear();
            m_sweep.part.clear();
            m_sweep.nextCall.clear();
        }
        m_sweep.start.push_back(time);
        m_sweep.part.push_back(part);
    }

    static constexpr std::size_t handedOver = 4096; ///< stretches at a time
    const Trace& m_trace;
    const BudgetParts& m_parts;
    const TraceClasses& m_classes;
    const std::function<void(const GpuSweep&)>& m_take;
    std::vector<Stream> m_streams;
    std::vector<Boundary> m_heap;
    std::array<std::uint32_t, bits> m_active{};
    std::uint64_t m_mask = 0;
    std::uint32_t m_nextWork = noIndex;
    EventIndex m_nextCall = noIndex;
    std::vector<std::size_t> m_unknown; ///< indexes into nextCall
    GpuSweep m_sweep;
};

} // namespace

TraceClasses::TraceClasses(const Trace& trace, const KernelClassRules& rules)
    : ofName(trace.pool->size(), 0),
      communication(rules.indexOf("communication")),
      graph(rules.indexOf("graph"))
{
    forEachName(trace.kernels(), {}, [&](StringId name) {
        ofName[raw(name)] = static_cast<std::uint8_t>(rules.classOf(trace.text(name)));
        anyCommunication |= ofName[raw(name)] == communication;
    });
}

void sweepGpu(const Trace& trace, GpuOfProcess gpu, TimeRange session, const BudgetParts& parts,
    const TraceClasses& classes, const Waits& waits, const Intervals& pageWaits,
    const std::function<void(const GpuSweep&)>& take, const std::stop_token& stop)
{
    Sweeper sweeper(trace, parts, classes, take);
    sweeper.addWork(gpu);
    sweeper.addRanges(waits, waitBit);
    const Intervals pauses = clipped(pageWaits, session);
    sweeper.addRanges(pauses, faultBit);
    sweeper.run(session, stop);
}

} // namespace warpline
