#include "core/load/load_report.h"

#include "core/base/parallel.h"
#include "core/base/platform/platform.h"
#include "core/base/stop.h"
#include "core/cache/trace_cache.h"
#include "core/derive/capture_traces.h"
#include "core/files/plain_file.h"
#include "core/load/memory_need.h"
#include "core/load/report_files.h"
#include "core/load/report_format.h"
#include "core/store/problem.h"
#include "core/store/trace.h"

#include <algorithm>
#include <new>

namespace warpline {

namespace {

constexpr std::string_view capturedIn = "Graphs captured in"; ///< name of a fact: the file

/// Reads the file with its format. Out of memory and stop requests become errors, after the memory is freed.
Result<std::shared_ptr<const Trace>> readWithinMemory(const std::string& path, const LoadOptions& options)
{
    try {
        // Before the format is detected, because a stream can only be read once: later readers use this copy.
        const auto plain = plainFileOf(path, options.stop);
        if (!plain.ok())
            return plain.error();
        if (const auto fits = fitsMemory(path, memoryNeed(plain.value()->path())); !fits.ok())
            return fits.error();
        return formatOf(path).read(path, options);
    } catch (const Stopped&) {
        return Error{"file.cancelled", "{path}: loading was cancelled.", {{"path", Name{path}}}};
    } catch (const std::bad_alloc&) {
        return Error{"file.no_memory",
            "{path} needs more memory than is free. Close other reports or programs, or record a shorter time.",
            {{"path", Name{path}}}};
    }
}

/// Reports a failing disk, which otherwise looks like a damaged or truncated file.
Result<std::shared_ptr<const Trace>> withReadProblem(
    Result<std::shared_ptr<const Trace>> trace, const std::string& path, const LoadOptions& options)
{
    const bool isWhole = trace.ok() && !trace.value()->info.isCut;
    const Message problem = isWhole || options.stop.stop_requested() ? Message() : readProblem(path);
    if (problem.empty())
        return trace;
    return Error{problem};
}

/// A kept trace may have captures of an earlier time.
std::shared_ptr<const Trace> withoutCaptures(const std::shared_ptr<const Trace>& kept)
{
    const auto isFact = [](const auto& fact) { return fact.first == capturedIn; };
    const auto isProblem = [](const Problem& each) { return each.kind == ProblemKind::CaptureUnreadable; };
    if (std::ranges::none_of(kept->info.capture, isFact)
        && std::ranges::none_of(kept->info.problems, isProblem))
        return kept;
    auto alone = std::make_shared<Trace>(*kept);
    std::erase_if(alone->info.capture, isFact);
    std::erase_if(alone->info.problems, isProblem);
    return alone;
}

Result<std::shared_ptr<const Trace>> loadAlone(const std::string& path, const LoadOptions& options)
{
    if (!options.cacheFolder.empty() && !isStream(path)) {
        if (auto kept
            = findTrace(options.cacheFolder, path, threadsOf(options), options.snapshot, options.stop))
            return withoutCaptures(kept);
    }
    return withReadProblem(readWithinMemory(path, options), path, options);
}

/// Reads the traces next to `trace` that contain the captures of its CUDA graphs. Unreadable ones are listed
/// among the problems of the report.
std::shared_ptr<const Trace> withCaptures(const std::shared_ptr<const Trace>& trace,
    const std::vector<std::string>& files, const LoadOptions& options)
{
    LoadOptions quietly;
    quietly.stop = options.stop;
    quietly.threads = options.threads;
    auto extended = std::make_shared<Trace>(*trace);
    ReportInfo& info = extended->info;
    std::vector<std::shared_ptr<const Trace>> captures;
    for (const std::string& file : files) {
        auto capture = loadAlone(file, quietly);
        if (!capture.ok()) {
            info.problems.push_back(
                {.table = {}, .kind = ProblemKind::CaptureUnreadable, .reason = capture.error().message});
            continue;
        }
        info.capture.emplace_back(capturedIn, file);
        captures.push_back(capture.take());
    }
    keepCaptureTraces(*extended, std::move(captures));
    return extended;
}

} // namespace

unsigned threadsOf(const LoadOptions& options)
{
    return options.threads ? options.threads : static_cast<unsigned>(processors());
}

Result<std::shared_ptr<const Trace>> loadReport(const std::string& path, const LoadOptions& options)
{
    auto trace = loadAlone(path, options);
    const std::vector<std::string> captures = trace.ok() ? captureFilesOf(path) : std::vector<std::string>();
    if (!captures.empty())
        trace = withCaptures(trace.value(), captures, options);
    platform::returnFreeMemory();
    return trace;
}

} // namespace warpline
