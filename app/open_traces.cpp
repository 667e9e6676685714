#include "app/open_traces.h"

#include "core/base/platform/platform.h"
#include "core/files/plain_file.h"

#include <map>
#include <mutex>
#include <optional>

namespace warpline::cli {

namespace {

struct OpenTrace {
    platform::FileState state;
    std::weak_ptr<const Trace> trace;
};

/// By path. Commands read several reports at a time.
struct OpenTraces {
    std::mutex mutex;
    std::map<std::string, OpenTrace> traces;
};

OpenTraces& openTraces()
{
    static OpenTraces traces;
    return traces;
}

std::optional<platform::FileState> stateOf(const std::string& path)
{
    if (isStream(path))
        return {}; // it can be read once
    const auto file = platform::FileReader::open(platform::pathOf(path));
    return file ? file->state() : std::nullopt;
}

} // namespace

Result<std::shared_ptr<const Trace>> openTrace(
    const std::string& path, const std::function<Result<std::shared_ptr<const Trace>>()>& read)
{
    const auto before = stateOf(path);
    if (!before)
        return read(); // it has the reason for the failure
    OpenTraces& open = openTraces();
    {
        const std::scoped_lock lock(open.mutex);
        const OpenTrace& known = open.traces[path];
        if (auto trace = known.trace.lock(); trace && known.state == *before)
            return trace;
    }
    auto trace = read();
    if (trace.ok() && stateOf(path) == before) {
        const std::scoped_lock lock(open.mutex);
        open.traces[path] = {*before, trace.value()};
    }
    return trace;
}

} // namespace warpline::cli
