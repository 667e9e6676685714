#pragma once

#include "core/derive/links.h"
#include "core/store/table_builder.h"
#include "core/store/trace.h"

#include <memory>
#include <string_view>

namespace warpline::test {

/// A small trace made by hand: one process, calls and NVTX ranges on its threads, work on its devices.
class DrawnTrace {
public:
    static constexpr GlobalId process = 100ULL << 24U;
    static constexpr GlobalId threadOf(std::uint32_t tid) { return process | tid; }

    /// An API call of thread `tid`; `correlation` ties it to work.
    void call(std::string_view name, Ns start, Ns end, std::uint32_t correlation, std::uint32_t tid = 1)
    {
        TrackKey key;
        key.owner = threadOf(tid);
        m_calls.add(m_calls.track(key), start, end, m_pool->intern(name), ++m_rows);
        m_calls.addCorrelation(correlation);
        m_calls.addAttribute(0);
    }

    void kernel(std::string_view name, Ns start, Ns end, std::uint32_t correlation, std::int32_t stream = 7)
    {
        KernelLaunch launch;
        launch.shortName = m_pool->intern(std::string(name).append(" short"));
        launch.mangledName = m_pool->intern(std::string("_Z").append(name));
        launch.grid = {2, 1, 1};
        launch.block = {128, 1, 1};
        m_kernels.add(m_kernels.track(device(stream)), start, end, m_pool->intern(name), ++m_rows);
        m_kernels.addCorrelation(correlation);
        m_kernels.addAttribute(static_cast<std::uint32_t>(m_launches.size()));
        m_launches.push_back(launch);
    }

    void copy(CopyKind kind, Ns start, Ns end, std::uint64_t bytes, std::uint32_t correlation)
    {
        m_copies.add(m_copies.track(device(8)), start, end, m_pool->intern("copy"), ++m_rows);
        m_copies.addCorrelation(correlation);
        m_copies.addBytes(bytes);
        m_copies.addAttribute(static_cast<std::uint32_t>(m_copyKinds.size()));
        CopyAttributes attributes;
        attributes.kind = kind;
        m_copyKinds.push_back(attributes);
    }

    void range(std::string_view name, Ns start, Ns end, std::uint32_t tid = 1, std::uint8_t type = 59,
        bool open = false)
    {
        TrackKey key;
        key.owner = threadOf(tid);
        m_nvtx.add(m_nvtx.track(key), start, end, m_pool->intern(name), ++m_rows);
        NvtxAttributes attributes;
        attributes.eventType = type;
        attributes.open = open;
        m_nvtx.addAttribute(static_cast<std::uint32_t>(m_ranges.size()));
        m_ranges.push_back(attributes);
    }

    std::shared_ptr<const Trace> finish()
    {
        auto trace = std::make_shared<Trace>();
        trace->pool = m_pool;
        auto kernels = std::make_shared<KernelTable>();
        m_kernels.finishInto(*kernels);
        kernels->launches = m_launches;
        auto copies = std::make_shared<MemcpyTable>();
        m_copies.finishInto(*copies);
        copies->copies = m_copyKinds;
        auto nvtx = std::make_shared<NvtxTable>();
        m_nvtx.finishInto(*nvtx);
        nvtx->attributes = m_ranges;
        trace->tables[indexOf(EventKind::Kernel)] = kernels;
        trace->tables[indexOf(EventKind::Memcpy)] = copies;
        trace->tables[indexOf(EventKind::Nvtx)] = nvtx;
        trace->tables[indexOf(EventKind::ApiCall)] = warpline::finish(m_calls);
        trace->session = {0, 1'000'000};
        trace->links = linkWork(*trace);
        trace->complete = true;
        return trace;
    }

private:
    static TrackKey device(std::int32_t stream)
    {
        TrackKey key;
        key.owner = process;
        key.device = 0;
        key.context = 1;
        key.stream = stream;
        return key;
    }

    std::shared_ptr<StringPool> m_pool = std::make_shared<StringPool>();
    TableBuilder m_calls{EventKind::ApiCall};
    TableBuilder m_kernels{EventKind::Kernel};
    TableBuilder m_copies{EventKind::Memcpy};
    TableBuilder m_nvtx{EventKind::Nvtx};
    std::vector<KernelLaunch> m_launches;
    std::vector<CopyAttributes> m_copyKinds;
    std::vector<NvtxAttributes> m_ranges;
    std::uint32_t m_rows = 0;
};

} // namespace warpline::test
