#include "core/cache/archived_links.h"

#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

template <typename Archive, typename T> void describeChains(Archive& archive, T& chains)
{
    archive(chains.id, chains.firstFrame, chains.frames);
}

template <typename Archive, typename T> void describeLinks(Archive& archive, T& links)
{
    for (auto& column : links.apiOf)
        archive(column);
    archive(links.firstWork);
}

template <typename Archive, typename T> void describeCounter(Archive& archive, T& series)
{
    archive(series.kind, series.name, series.unit, series.device, series.owner, series.context, series.stream,
        series.values);
}

} // namespace

void writeChains(ArchiveWriter& archive, const std::shared_ptr<const Callchains>& chains)
{
    archive(chains != nullptr);
    if (chains)
        describeChains(archive, *chains);
}

std::shared_ptr<const Callchains> readChains(ArchiveReader& archive, std::size_t names)
{
    bool there = false;
    archive(there);
    if (!there)
        return nullptr;
    auto chains = std::make_shared<Callchains>();
    describeChains(archive, *chains);
    archive.check(chains->firstFrame.empty() ? chains->id.empty() && chains->frames.empty()
                                             : chains->firstFrame.size() == chains->id.size() + 1
                && chains->firstFrame.back() <= chains->frames.size()
                && std::ranges::is_sorted(chains->firstFrame));
    archive.check(std::ranges::all_of(chains->frames,
        [names](const StackFrame& frame) { return raw(frame.symbol) < names && raw(frame.module) < names; }));
    return chains;
}

void writeLinks(ArchiveWriter& archive, const Links& links)
{
    describeLinks(archive, links);
    std::vector<EventIndex> calls;
    std::vector<std::uint32_t> work;
    for (const auto& [call, packed] : links.moreWork) {
        calls.push_back(call);
        work.push_back(packed);
    }
    archive(calls, work);
}

std::shared_ptr<const Links> readLinks(ArchiveReader& archive)
{
    auto links = std::make_shared<Links>();
    describeLinks(archive, *links);
    std::vector<EventIndex> calls;
    std::vector<std::uint32_t> work;
    archive(calls, work);
    archive.check(calls.size() == work.size());
    for (std::size_t i = 0; archive.ok() && i < calls.size(); ++i)
        links->moreWork.emplace_back(calls[i], work[i]);
    return links;
}

bool fitTables(const Trace& trace, const Links& links)
{
    const auto leadsTo = [](const std::vector<EventIndex>& rows, const EventTable& table) {
        return std::ranges::all_of(rows, [n = table.size()](EventIndex i) { return i == noIndex || i < n; });
    };
    const auto isWork = [&](std::uint32_t packed) {
        const EventRef work = Links::unpack(packed);
        return !work.valid() || work.index < trace.table(work.kind).size();
    };
    for (std::size_t kind = 0; kind < deviceKindCount; ++kind) {
        if (links.apiOf[kind].size() != trace.tables[kind]->size()
            || !leadsTo(links.apiOf[kind], trace.apiCalls()))
            return false;
    }
    const auto more = [&](const auto& link) {
        return link.first < trace.apiCalls().size() && link.second != noIndex && isWork(link.second);
    };
    return links.firstWork.size() == trace.apiCalls().size() && std::ranges::all_of(links.firstWork, isWork)
        && std::ranges::is_sorted(links.moreWork) && std::ranges::all_of(links.moreWork, more)
        && areBelow(trace.table(EventKind::NvtxProjected).attribute, trace.nvtx().size())
        && areBelow(trace.table(EventKind::CpuCore).attribute, trace.table(EventKind::ThreadState).size());
}

void writeCounters(ArchiveWriter& archive, const std::vector<CounterSeries>& counters)
{
    archive(counters.size());
    const std::vector<Ns>* before = nullptr;
    for (const CounterSeries& series : counters) {
        describeCounter(archive, series);
        // Consecutive series that were sampled together share their times.
        archive(series.times.get() == before);
        if (series.times.get() != before)
            archive(*series.times);
        before = series.times.get();
    }
}

std::vector<CounterSeries> readCounters(ArchiveReader& archive, std::size_t names)
{
    std::size_t count = 0;
    archive(count);
    std::vector<CounterSeries> counters;
    std::shared_ptr<const std::vector<Ns>> before;
    for (std::size_t i = 0; i < count && archive.ok(); ++i) {
        CounterSeries& series = counters.emplace_back();
        describeCounter(archive, series);
        bool shared = false;
        archive(shared);
        if (!shared) {
            auto times = std::make_shared<std::vector<Ns>>();
            archive(*times);
            before = std::move(times);
        }
        series.times = before;
        archive.check(before && before->size() == series.values.size() && raw(series.name) < names
            && raw(series.unit) < names && series.kind <= CounterKind::StreamsRunning);
        series.summarize();
    }
    return counters;
}

} // namespace warpline
