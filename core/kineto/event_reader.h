#pragma once

#include "core/kineto/event_splitter.h"
#include "core/kineto/loose_ends.h"
#include "core/kineto/name_cache.h"
#include "core/kineto/raw_event.h"
#include "core/store/problem.h"
#include "core/store/table_builder.h"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace warpline {

/// One end of a range that is written as two events.
struct RangeEnd {
    std::uint64_t event = 0; ///< number in the file
    GlobalId thread = 0;
    Ns time = 0;
    bool begins = false;
    StringId name{};
    StringId category{};
};

/// Identifies a counter: (process, device or -1, name).
using CounterKey = std::tuple<GlobalId, std::int32_t, std::string>;
/// A value of a counter.
struct CounterValue {
    Ns time = 0;
    double value = 0;
    std::uint64_t event = 0; ///< number in the file: it orders values of one time
};
using CounterValues = std::vector<CounterValue>;

/// The name that a trace gives to a process or thread.
struct GivenName {
    std::uint64_t event = 0; ///< number in the file: the last one counts
    StringId name{};
};

/// The events of a category.
struct CategoryEvents {
    std::uint64_t count = 0;
    bool hasMeaning = false; ///< it is not only a name that the file gives
};

/// How far an event may be from the others: longer than any recording.
inline constexpr Ns maxDistance = Ns{208} * 24 * 3600 * 1'000'000'000;

/// A typical time of the recording: the median of the events in `block`; 0 when none has one.
Ns middleTimeOf(const EventBlock& block);

/// The tables that one thread builds from its events. GPU work has no process; its tracks have owner 0 until
/// joined.
class EventReader {
public:
    /// Whether `category` is of events other than NVTX in a trace that Warpline wrote, and their domain here.
    static bool isOtherKind(std::string_view category);

    /// Times count from `middle`, a time of the recording; those further from it than any recording is long
    /// are none.
    EventReader(StringPool& pool, Ns middle);

    /// Reads all events of `block`.
    void read(const EventBlock& block);
    /// Appends the events of `other`.
    void append(EventReader&& other);
    /// Adds profiler overhead on the thread of `work`.
    void addOverhead(const ProfilerWork& work);

    TableBuilder kernels{EventKind::Kernel};
    TableBuilder memcpys{EventKind::Memcpy};
    TableBuilder memsets{EventKind::Memset};
    TableBuilder graphs{EventKind::GraphTrace}; ///< of traces that Warpline wrote
    TableBuilder synchronizations{EventKind::Synchronization};
    TableBuilder cudaEvents{EventKind::CudaEvent};
    TableBuilder calls{EventKind::ApiCall};
    TableBuilder osCalls{EventKind::OsRuntime}; ///< of traces that Warpline wrote
    TableBuilder ranges{EventKind::Nvtx};
    TableBuilder overheads{EventKind::Overhead};
    bool extendedGridsAreThreads = true; ///< arguments of hipExtModuleLaunchKernel, as PyTorch writes them
    TableBuilder allocations{EventKind::GpuMemory};
    TableBuilder graphNodes{
        EventKind::GraphEvent}; ///< filled once all events are read: see addCapturedNodes()
    RecordPool<KernelLaunch> launches;
    RecordPool<CopyAttributes> copies;
    RecordPool<NvtxAttributes> attributes;
    RecordPool<GpuMemoryOperation> operations;
    std::vector<RangeEnd> ends;
    std::map<CounterKey, CounterValues> counters;
    std::map<std::uint32_t, std::uint64_t> processes; ///< events on the host, by process
    std::map<GlobalId, GivenName> processNames;
    std::map<GlobalId, GivenName> threadNames;
    /// Events of each category: of those that have a meaning here, and of the others that are first by name,
    /// in all at most mostTables. otherTables has the rest.
    std::map<std::string, CategoryEvents, std::less<>> categories;
    std::map<std::string, std::int64_t> communicators; ///< the ranks of each, by the group's name
    LooseEnds loose;
    /// How many events were skipped or repaired, by the category as in `categories`, or by the table or list
    /// of ROCm. Empty: not known.
    std::map<std::pair<std::string, ProblemKind>, std::uint64_t> faults;
    Ns earliest = std::numeric_limits<Ns>::max();
    bool isKineto = false; ///< has events that only PyTorch's profiler writes
    bool correlates = false; ///< calls or GPU work have correlation ids
    /// "External id" of calls and GPU work by source row, kept while none has a correlation id: then a call
    /// and its work share it.
    std::unordered_map<std::uint32_t, std::uint32_t> externalIds;

private:
    using Handler = void (EventReader::*)(TimeRange time);
    struct Category {
        std::string_view name;
        Handler handle; ///< none: it repeats what other events say
        std::string_view domain; ///< of ranges
        bool ofKineto;
    };
    static const std::array<Category, 56> categoryList;

    void readEvent();
    void readComplete();
    void readInstant();
    void readCounter();
    void readName();
    void readEnd(bool begins);
    void readFlow(bool begins);
    /// The category of the event, or what stands for it.
    std::string_view countedCategory() const;
    void count(std::string_view category);
    void limitCategories();
    /// Counts `kind` for the event.
    void addFault(ProblemKind kind);
    const Category* categoryOf(std::string_view name);

    bool time(Ns& start);
    bool times(TimeRange& whole);
    GlobalId thread() const;
    TrackKey onDevice(std::string_view source);
    TrackKey onThread(std::string_view source, StringId domain);
    std::int32_t number32(std::string_view key, std::int32_t otherwise = 0) const;
    /// The correlation id; 0: none, or beyond 32 bits.
    std::uint32_t linkOf(std::int64_t id);
    std::uint32_t correlation();
    std::uint32_t launchNumber();
    std::uint32_t sourceRow() const;

    /// The names of a kernel.
    struct KernelNames {
        StringId name{};
        StringId shortName{};
        StringId mangledName{}; ///< where the file has that alone
    };
    KernelNames kernelNames(StringId given);
    const KernelNames& namesOfKernel(const JsonValue& given);
    void kernel(TimeRange time);
    void memcpy(TimeRange time);
    void memset(TimeRange time);
    void graph(TimeRange time);
    void synchronization(TimeRange time);
    std::uint32_t awaitedRecord(const TrackKey& stream);
    void cudaEvent(TimeRange time);
    void call(TimeRange time);
    void osCall(TimeRange time);
    void range(TimeRange time);
    void oldOperator(TimeRange time);
    void ownRange(TimeRange time);
    void gpuRange(TimeRange time);
    void mtiaWork(TimeRange time);
    void firstRocprof(TimeRange time);
    void xlaEvent(TimeRange time);
    void overhead(TimeRange time);
    void memory();
    void collective(const TrackKey& track, TimeRange time);
    /// Adds the event to `table`, as `name` on `track`.
    void add(TableBuilder& table, const TrackKey& track, TimeRange time, StringId name);
    /// The same of GPU work or a call, with the number that joins the two, which is returned.
    std::uint32_t addLinked(TableBuilder& table, const TrackKey& track, TimeRange time, StringId name);
    void addRange(const TrackKey& track, TimeRange time, StringId name, const NvtxAttributes& range);
    StringId payload();

    NameCache m_names;
    Ns m_middle;
    RawEvent m_event;
    std::uint64_t m_number = 0; ///< of m_event in the file
    const Category* m_category = nullptr; ///< of m_event; none: not known
    std::string m_lastCategory;
    const Category* m_lastFound = nullptr;
    std::unordered_map<std::uint32_t, KernelNames> m_kernelNames; ///< by the name in the file
    std::string m_payload;
};

} // namespace warpline
