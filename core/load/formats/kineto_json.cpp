// Traces of PyTorch's profiler (Kineto), and others in Chrome's format: JSON, mostly compressed. One thread
// inflates and cuts the text into blocks of whole events, the others parse the blocks.

#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/files/plain_file.h"
#include "core/files/text_source.h"
#include "core/import/import_log.h"
#include "core/kineto/kineto_import.h"
#include "core/load/complete_trace.h"
#include "core/load/report_files.h"
#include "core/load/report_format.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>

namespace warpline::kineto_json {

namespace {

constexpr std::string_view title = "traceEvents";

/// Shows a trace while it is read: publishes the events of one reading thread, which has the file's first
/// ones. Used only by that thread.
class EarlyTraces {
public:
    /// `head`: the data before the events. `middle`: origin of the events' times.
    EarlyTraces(std::shared_ptr<StringPool> pool, TraceHead head, Ns middle, const LoadOptions& options)
        : m_pool(std::move(pool)),
          m_head(std::move(head)),
          m_middle(middle),
          m_options(options),
          m_next(m_started + options.firstSnapshot)
    {
    }

    /// Publishes the events of `reader` when that is due and they are few, because they are copied and
    /// sorted.
    void show(const EventReader& reader)
    {
        if (!m_options.snapshot || Clock::now() < m_next || eventsOf(reader) > maxEvents)
            return;
        EventReader copy(reader);
        TraceBuilder trace(m_pool);
        ImportLog log;
        fillTrace(copy, m_head, m_middle, trace, log);
        m_options.snapshot(trace.snapshot());
        m_next = std::max(m_next, m_started + m_options.snapshotGrowth * (Clock::now() - m_started));
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t maxEvents = 300'000; // some twenty megabytes

    static std::size_t eventsOf(const EventReader& reader)
    {
        return reader.kernels.size() + reader.memcpys.size() + reader.calls.size() + reader.ranges.size()
            + reader.allocations.size();
    }

    std::shared_ptr<StringPool> m_pool;
    TraceHead m_head;
    Ns m_middle;
    const LoadOptions& m_options;
    Clock::time_point m_started = Clock::now();
    Clock::time_point m_next;
};

/// A queue of blocks between the cutting thread and the readers: short, to limit memory.
class BlockQueue {
public:
    explicit BlockQueue(std::size_t most)
        : m_most(most)
    {
    }

    /// False when no reader is left.
    bool push(EventBlock block)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_blocks.size() < m_most || m_closed; });
        if (m_closed)
            return false;
        m_blocks.push_back(std::move(block));
        m_changed.notify_all();
        return true;
    }
    /// False at the end.
    bool pop(EventBlock& block)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return !m_blocks.empty() || m_ended || m_closed; });
        if (m_blocks.empty() || m_closed)
            return false;
        block = std::move(m_blocks.front());
        m_blocks.pop_front();
        m_changed.notify_all();
        return true;
    }
    /// No more blocks will come.
    void end() { set(m_ended); }
    /// A thread failed: the others need not go on.
    void close() { set(m_closed); }

private:
    void set(bool& flag)
    {
        const std::scoped_lock lock(m_mutex);
        flag = true;
        m_changed.notify_all();
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<EventBlock> m_blocks;
    std::size_t m_most;
    bool m_ended = false;
    bool m_closed = false;
};

/// Reads the blocks of `queue` to its end on a thread of its own. `early` publishes snapshots; may be null.
void readBlocks(BlockQueue& queue, EventReader& reader, EarlyTraces* early)
{
    try {
        EventBlock block;
        while (queue.pop(block)) {
            reader.read(block);
            if (early != nullptr)
                early->show(reader);
        }
    } catch (...) {
        queue.close();
        throw;
    }
}

/// Reads all events on the threads that `options` allow, starting with `block`; joins all results into the
/// first.
std::vector<std::unique_ptr<EventReader>> readEvents(TextSource& source, EventSplitter& splitter,
    EventBlock block, Ns middle, const std::shared_ptr<StringPool>& pool, const LoadOptions& options)
{
    Progress progress(source.fileBytes(), options.progress);
    progress.setStage({"load.events", "Reading events"});
    std::vector<std::unique_ptr<EventReader>> readers;
    for (unsigned i = 0; i < threadsOf(options); ++i)
        readers.push_back(std::make_unique<EventReader>(*pool, middle));
    BlockQueue queue(readers.size() + 2);
    EarlyTraces early(pool, readHead(splitter.fields()), middle, options);
    Helpers helpers;
    std::size_t reading = 0; // threads
    while (reading < readers.size()
        && helpers.tryStart([&queue, &reader = *readers[reading], shown = reading == 0 ? &early : nullptr] {
               readBlocks(queue, reader, shown);
           }))
        ++reading;
    const auto pass = [&](EventBlock&& each) { // this thread reads it where the system has no other
        if (reading > 0)
            return queue.push(std::move(each));
        readers.front()->read(each);
        early.show(*readers.front());
        return true;
    };
    try {
        std::uint64_t read = 0;
        for (bool more = !block.text.empty(); more && !options.stop.stop_requested();) {
            progress.add(source.fileBytesRead() - read);
            read = source.fileBytesRead();
            more = pass(std::move(block)) && splitter.next(block);
        }
    } catch (...) {
        queue.close();
        helpers.join();
        throw;
    }
    queue.end();
    helpers.join();
    throwIfStopped(options.stop);
    for (std::size_t i = 1; i < readers.size(); ++i) {
        readers.front()->append(std::move(*readers[i]));
        readers[i].reset();
    }
    return readers;
}

/// firstSignOf() of the file at `path`.
char firstSignIn(const std::string& path)
{
    return firstSignOf(beginningOfText(path, 1024));
}

/// Why the file that `source` and `splitter` have read is no trace.
Error noTrace(const std::string& path, const TextSource& source, const EventSplitter& splitter)
{
    if (source.damaged())
        return {"file.damaged_at_start", "{path} is compressed, but damaged at its start. Copy it again.",
            {{"path", Name{path}}}};
    const char first = firstSignIn(path);
    if (first == 0)
        return {"file.no_text", "{path} is empty. Copy it again.", {{"path", Name{path}}}};
    if (first != '{' && first != '[')
        return {"file.no_json_text",
            "{path} is not JSON, although its name says so. Open a trace that torch.profiler or another recorder wrote.",
            {{"path", Name{path}}}};
    if (splitter.cutOff())
        return {"file.cut_at_start",
            "{path} is incomplete: its events are missing. Copy it again, or record again and let the profiler finish writing.",
            {{"path", Name{path}}}};
    for (const auto& [key, value] : splitter.fields()) {
        if (key == "warpline_reports" || key == "warpline_view")
            return savedByWindow(key == "warpline_view", path);
    }
    return {"file.no_trace_events",
        "{path} is JSON, but not a trace: it has no list \"traceEvents\", as torch.profiler writes it.",
        {{"path", Name{path}}}};
}

Result<std::shared_ptr<const Trace>> readTrace(const std::string& path, const LoadOptions& options)
{
    const auto file = plainFileOf(path, options.stop);
    if (!file.ok())
        return file.error();
    auto source = TextSource::open(file.value()->path());
    if (!source.ok())
        return source.error();
    EventSplitter splitter(source.value());
    const auto pool = std::make_shared<StringPool>();
    TraceBuilder trace(pool);
    EventBlock first;
    splitter.next(first);
    const Ns middle = middleTimeOf(first);
    auto readers = readEvents(source.value(), splitter, std::move(first), middle, pool, options);
    if (!splitter.isTrace() || !splitter.hasEvents())
        return noTrace(path, source.value(), splitter);
    ImportLog log;
    log.add(title, ProblemKind::EventUnreadable, splitter.lost());
    if (source.value().damaged())
        log.add({}, ProblemKind::PackedFileIncomplete);
    else if (splitter.cutOff())
        log.add({}, ProblemKind::FileIncomplete);
    fillTrace(*readers.front(), readHead(splitter.fields()), middle, trace, log);
    readers.clear();
    const bool isBad = splitter.lost() > 0 && !splitter.cutOff() && trace.snapshot()->eventCount() == 0;
    if (isBad && firstSignIn(path) == '[') // a list of something else
        return noTrace(path, source.value(), splitter);
    trace.edit([&](Trace& made) {
        made.info.fileBytes = source.value().fileBytes();
        made.info.problems = log.problems();
        made.info.isCut = source.value().damaged() || splitter.cutOff();
    });
    if (options.snapshot)
        options.snapshot(trace.snapshot());
    return completeTrace(trace, path, options.stop);
}

bool looksLikeJson(std::string_view text)
{
    const char first = firstSignOf(text);
    return first == '{' || first == '[';
}

} // namespace

extern constinit const ReportFormat kinetoJson{
    .id = "kineto-json",
    .title = "PyTorch profiler trace",
    .patterns = "*.json *.json.gz *.json.xz *.json.zst",
    .recognizes = looksLikeJson,
    .read = readTrace,
};

} // namespace warpline::kineto_json
