#include "core/load/load_report.h"

#include "core/base/memory.h"
#include "core/cache/trace_cache.h"
#include "core/load/report_format.h"

#include <algorithm>
#include <thread>

namespace warpline {

unsigned threadsOf(const LoadOptions& options)
{
    return options.threads ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

Result<std::shared_ptr<const Trace>> loadReport(const std::string& path, const LoadOptions& options)
{
    if (!options.cacheFolder.empty()) {
        if (auto kept
            = findTrace(options.cacheFolder, path, threadsOf(options), options.snapshot, options.stop))
            return kept;
    }
    auto trace = formatOf(path).read(path, options);
    returnFreeMemory();
    return trace;
}

} // namespace warpline
