#include "core/store/trace.h"

#include "core/kernels/kernel_label.h"
#include "core/store/attributes.h"
#include "core/store/gpu_names.h"
#include "core/store/table_types.h"

#include <algorithm>

namespace warpline {

namespace {

std::shared_ptr<const EventTable> emptyTable(EventKind kind)
{
    return withTableType(
        kind, [kind]<typename Table>(std::type_identity<Table>) -> std::shared_ptr<const EventTable> {
            auto table = std::make_shared<Table>();
            table->kind = kind;
            return table;
        });
}

template <typename T> const T* findById(const std::vector<T>& sorted, GlobalId id)
{
    const auto found = std::lower_bound(
        sorted.begin(), sorted.end(), id, [](const T& item, GlobalId key) { return item.id < key; });
    return found != sorted.end() && found->id == id ? &*found : nullptr;
}

} // namespace

EventRef madeFrom(const Trace& trace, EventRef event)
{
    if (event.kind == EventKind::CpuCore)
        return {EventKind::ThreadState, stateShownBy(trace, event.index)};
    return {EventKind::Nvtx, rangeProjectedBy(trace, event.index)};
}

Trace::Trace()
{
    for (const EventKind kind : allEventKinds())
        tables[indexOf(kind)] = emptyTable(kind);
}

std::string_view Trace::displayName(EventRef event) const
{
    if (event.kind == EventKind::Kernel) {
        return kernelLabel(name(event), text(kernels().launch(event.index).shortName));
    }
    return name(event);
}

EventRef Trace::apiCallOf(EventRef event) const
{
    if (!links || !runsOnDevice(event.kind))
        return {};
    const auto& calls = links->apiOf[indexOf(event.kind)];
    if (event.index >= calls.size())
        return {};
    return {EventKind::ApiCall, calls[event.index]};
}

std::vector<EventRef> Trace::workOf(EventRef call) const
{
    std::vector<EventRef> work;
    if (call.kind == EventKind::ApiCall)
        visitWork(call.index, [&work](EventRef piece) { work.push_back(piece); });
    return work;
}

std::uint64_t Trace::eventCount() const
{
    std::uint64_t count = 0;
    for (const EventKind kind : allEventKinds()) {
        if (!isDerived(kind))
            count += table(kind).size();
    }
    return count;
}

std::span<const StackFrame> Trace::stackOf(EventRef event) const
{
    const auto& ids = table(event.kind).callchain;
    if (event.index >= ids.size() || ids[event.index] == 0)
        return {};
    const Callchains* chains = nullptr;
    if (event.kind == EventKind::Sample)
        chains = samplingChains.get();
    else if (event.kind == EventKind::ApiCall)
        chains = cudaChains.get();
    else if (event.kind == EventKind::OsRuntime)
        chains = osRuntimeChains.get();
    else if (event.kind == EventKind::Nvtx)
        chains = pythonChains.get();
    return chains ? chains->stack(ids[event.index]) : std::span<const StackFrame>{};
}

const Process* Trace::process(GlobalId id) const
{
    return findById(processes, processOf(id));
}

const Thread* Trace::thread(GlobalId id) const
{
    return findById(threads, id);
}

std::optional<std::int64_t> Trace::mpiRank(GlobalId id) const
{
    std::optional<std::int64_t> rank;
    for (const MpiRank& known : mpiRanks) {
        if (processOf(known.thread) != processOf(id))
            continue;
        if (rank && *rank != known.rank)
            return {}; // several ranks as threads of one process
        rank = known.rank;
    }
    return rank;
}

bool Trace::holdsSeveralRanks() const
{
    return std::ranges::any_of(
        mpiRanks, [&](const MpiRank& each) { return each.rank != mpiRanks.front().rank; });
}

const MpiCommunicator* Trace::communicator(GlobalId id, std::int64_t handle) const
{
    const std::optional<std::int64_t> rank = mpiRank(id);
    const auto found = std::ranges::find_if(communicators, [&](const MpiCommunicator& known) {
        return known.handle == handle && (!rank || known.rank == *rank);
    });
    return found != communicators.end() ? &*found : nullptr;
}

const Device* Trace::device(GlobalId owner, std::int32_t cuda) const
{
    const std::int32_t id = gpuNumber(*this, owner, cuda);
    const auto found = std::ranges::lower_bound(devices, id, {}, &Device::id);
    return found != devices.end() && found->id == id ? &*found : nullptr;
}

} // namespace warpline
