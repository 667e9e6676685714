#include "core/findings/lost_work.h"

#include "core/base/words.h"
#include "core/findings/call_kinds.h"
#include "core/findings/evidence.h"
#include "core/findings/recording_advice.h"
#include "core/findings/scope.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

/// What nsys says of a driver that it does not know, or of events that it could not keep; empty: nothing.
std::string reasonOf(const Trace& trace)
{
    for (const DiagnosticLine& line : trace.info.diagnostics) {
        const std::string& text = line.text;
        if (containsWord(text, "not supported by this build") || containsWord(text, "could not parse")
            || containsWord(text, "incomplete cupti"))
            return fmt::format(" It says: {}", text);
    }
    return {};
}

/// Launches that returned no error.
std::uint64_t launchesOf(const Trace& trace)
{
    const EventTable& calls = trace.apiCalls();
    const CallKinds kinds(trace);
    std::uint64_t launches = 0;
    for (EventIndex i = 0; i < calls.size(); ++i) {
        const bool failed = i < calls.attribute.size() && calls.attribute[i] != 0;
        launches += kinds[i] == CallKind::Launch && !failed ? 1 : 0;
    }
    return launches;
}

} // namespace

std::string lostGpuWork(const Trace& trace)
{
    if (!lifeOfGpus(trace).empty())
        return {};
    const std::uint64_t launches = launchesOf(trace);
    const std::string reason = reasonOf(trace);
    if (launches == 0 && (reason.empty() || trace.apiCalls().empty()))
        return {};
    return fmt::format(
        "No GPU work in this report, although {} {} called: {} lost what the GPU did.{} Record "
        "again with a version that knows the driver.",
        launches > 0 ? counted(launches, "launch", "launches") : std::string("CUDA functions"),
        launches == 1 ? "was" : "were", recordingAdvice(trace).recorder, reason);
}

} // namespace warpline
