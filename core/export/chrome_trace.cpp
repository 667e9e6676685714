#include "core/base/path_names.h"
#include "core/base/utf8.h"
#include "core/export/event_export.h"
#include "core/export/json_text.h"
#include "core/export/nested_lines.h"
#include "core/export/text_pieces.h"
#include "core/render/render.h"
#include "core/stats/nvtx_nesting.h"
#include "core/store/counter_title.h"
#include "core/store/gpu_names.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace warpline {

namespace {

/// Nanoseconds as microseconds, exactly.
std::string microseconds(Ns time)
{
    constexpr Ns perMicrosecond = 1000;
    const char* const sign = time < 0 ? "-" : "";
    const auto whole = time < 0 ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
    return fmt::format("{}{}.{:03}", sign, whole / perMicrosecond, whole % perMicrosecond);
}

std::string quotedText(std::string_view text)
{
    return jsonText(text).dump();
}

/// "{"grid": [1, 1, 1], ...}": the event's attributes other than name and time.
std::string argumentsOf(const Trace& trace, EventRef event)
{
    const EventTable& table = trace.table(event.kind);
    const EventIndex i = event.index;
    Json json = Json::object();
    const Track& track = trace.track(trace.trackOf(event));
    if (track.device >= 0) {
        json["process"] = pidOf(track.owner);
        json["device"] = gpuNumber(trace, track.owner, track.device);
        if (track.context >= 0)
            json["context"] = track.context;
        if (track.stream >= 0)
            json["stream"] = track.stream;
    } else if (tidOf(track.owner) != 0) {
        json["thread"] = tidOf(track.owner); // each line has its own number
    }
    if (!table.correlation.empty() && table.correlation[i] != 0)
        json["correlation"] = table.correlation[i];
    if (!table.bytes.empty())
        json["bytes"] = table.bytes[i];
    if (event.kind == EventKind::Kernel) {
        const KernelLaunch& launch = trace.kernels().launch(i);
        json["grid"] = {launch.grid.x, launch.grid.y, launch.grid.z};
        json["block"] = {launch.block.x, launch.block.y, launch.block.z};
        json["registers per thread"] = launch.registersPerThread;
        json["shared memory"] = std::int64_t{launch.staticSharedMemory} + launch.dynamicSharedMemory;
    } else if (event.kind == EventKind::Memcpy) {
        const CopyAttributes& copy = trace.memcpys().copy(i);
        json["direction"] = labelOf(copy.kind);
        json["source"] = labelOf(copy.source);
        json["destination"] = labelOf(copy.destination);
    } else if (event.kind == EventKind::Nvtx) {
        const NvtxAttributes& attributes = trace.nvtx().attributesOf(i);
        if (const std::string_view domain = trace.text(track.family); !domain.empty())
            json["domain"] = jsonText(domain);
        if (attributes.payload != StringId{})
            json["payload"] = jsonText(trace.text(attributes.payload));
    }
    return json.dump();
}

/// Writes the objects of "traceEvents".
class ChromeWriter {
public:
    ChromeWriter(const Trace& trace, const EventExport& asked, const TextSink& sink)
        : m_trace(trace),
          m_asked(asked),
          m_out(sink)
    {
        if (m_asked.window.empty())
            m_asked.window = {trace.session.start, trace.session.end + 1};
    }

    bool write()
    {
        add("{\"displayTimeUnit\": \"ns\", \"writer\": \"Warpline\", \"otherData\": {\"file\": "
            + quotedText(baseName(m_trace.info.path)) + "}, \"traceEvents\": [");
        for (const EventKind kind : kindsOf(m_asked)) {
            for (std::uint32_t track = 0; track < m_trace.table(kind).tracks.size(); ++track)
                writeTrack({kind, track});
        }
        for (const CounterSeries& series : m_trace.counters)
            writeCounter(series);
        for (const auto& [process, name] : m_processes) {
            if (name.empty())
                continue;
            object(fmt::format(R"("ph": "M", "name": "process_name", "pid": {}, "args": {{"name": {}}})",
                process, quotedText(name)));
        }
        add("\n]}\n");
        return m_out.flush();
    }

private:
    void add(std::string_view text)
    {
        m_out.text += text;
        m_wanted = m_out.goOn();
    }
    void object(const std::string& fields)
    {
        add(m_any ? ",\n{" : "\n{");
        add(fields);
        add("}");
        m_any = true;
    }

    void look(std::uint64_t events)
    {
        if (m_asked.lookedAt)
            m_asked.lookedAt->fetch_add(events, std::memory_order_relaxed);
    }

    /// Without the number, which viewers add; empty: it has no name.
    std::string nameOfProcess(GlobalId owner) const
    {
        const Process* const known = m_trace.process(processOf(owner));
        std::string name = known ? toUtf8(baseName(m_trace.text(known->name))) : std::string();
        const auto rank = m_trace.mpiRanks.empty() ? std::nullopt : m_trace.mpiRank(processOf(owner));
        return rank ? fmt::format("{}{}MPI rank {}", name, name.empty() ? "" : ", ", *rank) : name;
    }

    /// The number of the process in the trace; 0 for events without one.
    std::uint32_t processOfTrack(GlobalId owner)
    {
        const std::uint32_t pid = pidOf(owner);
        m_processes.try_emplace(pid, owner == 0 ? "Report" : nameOfProcess(owner));
        return pid;
    }

    /// Events that start later nest in open ones, or else go to the next line.
    void writeTrack(TrackRef ref)
    {
        const EventTable& table = m_trace.table(ref.kind);
        std::vector<EventIndex> events;
        visitTrack(m_trace, ref, m_asked, [&](EventIndex i) {
            events.push_back(i);
            return m_wanted;
        });
        look(table.tracks[ref.track].eventCount - events.size());
        if (events.empty())
            return;
        std::ranges::stable_sort(events, [&](EventIndex a, EventIndex b) {
            return table.start[a] != table.start[b] ? table.start[a] < table.start[b]
                                                    : table.duration[a] > table.duration[b];
        });
        const std::uint32_t pid = processOfTrack(table.tracks[ref.track].owner);
        NestedLines lines;
        const std::uint32_t firstTid = m_lastTid + 1;
        for (const EventIndex i : events) {
            if (!m_wanted)
                return;
            look(1);
            const auto tid = static_cast<std::uint32_t>(firstTid + lines.lineFor(table.range(i)));
            if (tid > m_lastTid)
                addLine(ref, pid, lines.count());
            writeEvent({ref.kind, i}, pid, tid);
        }
    }

    /// A line more for `ref`, which then has `count`.
    void addLine(TrackRef ref, std::uint32_t pid, std::size_t count)
    {
        const std::string title = fmt::format("{}: {}{}", plain(placeOf(m_trace, ref)), titleOf(ref.kind),
            count == 1 ? std::string() : fmt::format(" ({})", count));
        const auto lineFields = fmt::format(R"("ph": "M", "pid": {}, "tid": {})", pid, ++m_lastTid);
        object(lineFields + R"(, "name": "thread_name", "args": {"name": )" + quotedText(title) + "}");
        object(lineFields
            + fmt::format(R"(, "name": "thread_sort_index", "args": {{"sort_index": {}}})", m_lastTid));
    }

    void writeEvent(EventRef event, std::uint32_t pid, std::uint32_t tid)
    {
        const TimeRange time = m_trace.range(event);
        const std::string place
            = fmt::format(R"("pid": {}, "tid": {}, "ts": {})", pid, tid, microseconds(time.start));
        const std::string name = quotedText(m_trace.name(event));
        // Work, calls and ranges of zero length stay ranges.
        const bool isRange = runsOnDevice(event.kind) || event.kind == EventKind::ApiCall
            || event.kind == EventKind::OsRuntime
            || (event.kind == EventKind::Nvtx && isClosedRange(m_trace.nvtx(), event.index));
        if (time.empty() && !isRange)
            object(fmt::format(R"("ph": "i", "s": "t", "name": {}, "cat": "{}", {}, "args": {})", name,
                keyOf(event.kind), place, argumentsOf(m_trace, event)));
        else
            object(fmt::format(R"("ph": "X", "name": {}, "cat": "{}", {}, "dur": {}, "args": {})", name,
                keyOf(event.kind), place, microseconds(time.duration()), argumentsOf(m_trace, event)));
        writeFlow(event, place);
    }

    /// A flow begins at the call that launched work, and ends at each piece of the work.
    void writeFlow(EventRef event, const std::string& place)
    {
        const EventRef call = event.kind == EventKind::ApiCall ? event : m_trace.apiCallOf(event);
        if (!call.valid() || (event == call && m_trace.workOf(call).empty()))
            return;
        const bool begins = event == call;
        object(fmt::format(R"("ph": "{}", {}"name": "launch", "cat": "launch", "id": {}, {})",
            begins ? "s" : "f", begins ? "" : "\"bp\": \"e\", ", call.index + 1, place));
    }

    void writeCounter(const CounterSeries& series)
    {
        if (!series.times || !hasCounters(m_asked))
            return;
        const std::uint32_t pid = processOfTrack(series.owner);
        const std::string name
            = quotedText(plain(counterPlace(m_trace, series)) + " " + std::string(m_trace.text(series.name)));
        look(series.size());
        for (std::size_t i = 0; i < series.size() && m_wanted; ++i) {
            const Ns time = (*series.times)[i];
            if (std::isfinite(series.values[i]) && m_asked.window.contains(time))
                object(fmt::format(R"("ph": "C", "name": {}, "pid": {}, "ts": {}, "args": {{"value": {}}})",
                    name, pid, microseconds(time),
                    double{series.values[i]})); // the text of a float is not exact
        }
    }

    const Trace& m_trace;
    EventExport m_asked;
    TextPieces m_out;
    std::map<std::uint32_t, std::string> m_processes;
    std::uint32_t m_lastTid = 0;
    bool m_any = false;
    bool m_wanted = true;
};

} // namespace

bool writeChromeTrace(const Trace& trace, const EventExport& asked, const TextSink& sink)
{
    return ChromeWriter(trace, asked, sink).write();
}

} // namespace warpline
