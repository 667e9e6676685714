// Output of rocprofv3 --output-format json.

#include "core/rocprof/rocprof_json.h"
#include "core/files/plain_file.h"
#include "core/files/text_source.h"
#include "core/import/import_log.h"
#include "core/import/progress.h"
#include "core/load/complete_trace.h"
#include "core/load/memory_need.h"
#include "core/load/report_format.h"

namespace warpline::rocprof_json {

namespace {

Result<std::shared_ptr<const Trace>> readRocprofReport(const std::string& path, const LoadOptions& options)
{
    const auto file = plainFileOf(path, options.stop);
    if (!file.ok())
        return file.error();
    auto source = TextSource::open(file.value()->path());
    if (!source.ok())
        return source.error();
    Progress progress(source.value().fileBytes(), options.progress);
    progress.setStage({"load.events", "Reading events"});
    constexpr std::size_t block = std::size_t{1} << 20U;
    std::string text;
    for (std::size_t got = block; got == block && !options.stop.stop_requested();) {
        const std::size_t before = text.size();
        // The size of packed text is not known before. The text grows to twice its size, and gives as much
        // again.
        if (before + block > text.capacity()) {
            if (auto fits = fitsMemory(path, MemoryNeed{.bytes = 2 * before, .rows = 0, .session = {}});
                !fits.ok())
                return fits.error();
        }
        const std::uint64_t read = source.value().fileBytesRead();
        text.resize(before + block);
        got = source.value().read(text.data() + before, block);
        text.resize(before + got);
        progress.add(source.value().fileBytesRead() - read);
    }
    const auto pool = std::make_shared<StringPool>();
    RocmEvents events(*pool);
    const bool whole = readRocprofJson(text, events, options.stop);
    TraceBuilder trace(pool);
    ImportLog log;
    if (!whole || source.value().damaged())
        log.add({}, ProblemKind::FileIncomplete);
    events.fill(trace, log);
    trace.edit([&](Trace& made) {
        made.info.fileBytes = source.value().fileBytes();
        made.info.problems = log.problems();
        made.info.isCut = !whole || source.value().damaged();
    });
    return completeTrace(trace, path, options.stop);
}

} // namespace

extern constinit const ReportFormat rocprofJson{
    .id = "rocprof-json",
    .title = "rocprofv3 JSON",
    .patterns = "*.json *.json.gz *.json.xz *.json.zst",
    .recognizes
    = [](std::string_view head) { return head.find("\"rocprofiler-sdk-tool\"") != std::string_view::npos; },
    .read = readRocprofReport,
    .holds = [](const std::string&) { return true; }, // JSON of others has no such key
};

} // namespace warpline::rocprof_json
