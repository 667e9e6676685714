#include "core/load/load_report.h"

#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/cache/trace_cache.h"
#include "core/load/report_format.h"

#include <algorithm>
#include <new>

namespace warpline {

namespace {

/// What `format` reads. Memory that runs out, and a stop halfway, are answers like any other: what was read
/// so far is given back before it is said.
Result<std::shared_ptr<const Trace>> readWithinMemory(
    const ReportFormat& format, const std::string& path, const LoadOptions& options)
{
    try {
        return format.read(path, options);
    } catch (const Stopped&) {
        return Error{path + ": loading was cancelled."};
    } catch (const std::bad_alloc&) {
        return Error{path
            + " needs more memory than there is. Close other reports or programs, or record a shorter time."};
    }
}

} // namespace

unsigned threadsOf(const LoadOptions& options)
{
    return options.threads ? options.threads : static_cast<unsigned>(processors());
}

Result<std::shared_ptr<const Trace>> loadReport(const std::string& path, const LoadOptions& options)
{
    if (!options.cacheFolder.empty()) {
        if (auto kept
            = findTrace(options.cacheFolder, path, threadsOf(options), options.snapshot, options.stop))
            return kept;
    }
    auto trace = readWithinMemory(formatOf(path), path, options);
    returnFreeMemory();
    return trace;
}

} // namespace warpline
