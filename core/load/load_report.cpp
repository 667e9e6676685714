#include "core/load/load_report.h"

#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/cache/trace_cache.h"
#include "core/derive/capture_traces.h"
#include "core/files/plain_file.h"
#include "core/load/capture_files.h"
#include "core/load/memory_need.h"
#include "core/load/report_format.h"
#include "core/store/problem.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace warpline {

namespace {

/// What the format of the file reads. Memory that runs out, and a stop halfway, are answers like any other:
/// what was read so far is given back before it is said.
Result<std::shared_ptr<const Trace>> readWithinMemory(const std::string& path, const LoadOptions& options)
{
    try {
        // Before the format is asked for: a stream is read once. Who reads it finds this copy.
        const auto plain = plainFileOf(path, options.stop);
        if (!plain.ok())
            return plain.error();
        if (const auto fits = fitsMemory(path); !fits.ok())
            return fits.error();
        return formatOf(path).read(path, options);
    } catch (const Stopped&) {
        return Error{fmt::format("{}: loading was cancelled.", path)};
    } catch (const std::bad_alloc&) {
        return Error{fmt::format(
            "{} needs more memory than is free. Close other reports or programs, or record a shorter time.",
            path)};
    }
}

} // namespace

unsigned threadsOf(const LoadOptions& options)
{
    return options.threads ? options.threads : static_cast<unsigned>(processors());
}

namespace {

/// A disk that fails looks like a file that is damaged or ends early: says so.
Result<std::shared_ptr<const Trace>> withReadProblem(
    Result<std::shared_ptr<const Trace>> trace, const std::string& path, const LoadOptions& options)
{
    const bool isWhole = trace.ok() && !trace.value()->info.isCut;
    const std::string problem = isWhole || options.stop.stop_requested() ? std::string() : readProblem(path);
    if (problem.empty())
        return trace;
    return Error{path + ' ' + problem + ". Copy the file to another disk, and open the copy."};
}

Result<std::shared_ptr<const Trace>> loadAlone(const std::string& path, const LoadOptions& options)
{
    if (!options.cacheFolder.empty() && !isStream(path)) {
        if (auto kept
            = findTrace(options.cacheFolder, path, threadsOf(options), options.snapshot, options.stop))
            return kept;
    }
    return withReadProblem(readWithinMemory(path, options), path, options);
}

/// Reads the traces beside `trace` in which its CUDA graphs were captured. One that cannot be read is named
/// among the problems of the report.
std::shared_ptr<const Trace> withCaptures(const std::shared_ptr<const Trace>& trace,
    const std::vector<std::string>& files, const LoadOptions& options)
{
    LoadOptions quietly;
    quietly.stop = options.stop;
    quietly.threads = options.threads;
    auto extended = std::make_shared<Trace>(*trace);
    std::vector<std::shared_ptr<const Trace>> captures;
    for (const std::string& file : files) {
        auto capture = loadAlone(file, quietly);
        if (!capture.ok()) {
            extended->info.problems.push_back(
                {.table = {}, .kind = ProblemKind::CaptureUnreadable, .example = capture.error().message});
            continue;
        }
        extended->info.capture.emplace_back("Graphs captured in", file);
        captures.push_back(capture.take());
    }
    keepCaptureTraces(*extended, std::move(captures));
    return extended;
}

} // namespace

Result<std::shared_ptr<const Trace>> loadReport(const std::string& path, const LoadOptions& options)
{
    auto trace = loadAlone(path, options);
    const std::vector<std::string> captures = trace.ok() ? captureFilesOf(path) : std::vector<std::string>();
    if (!captures.empty())
        trace = withCaptures(trace.value(), captures, options);
    returnFreeMemory();
    return trace;
}

} // namespace warpline
