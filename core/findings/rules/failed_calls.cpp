// CUDA calls that return an error: a failed launch ran no kernel. "Not ready" is not an error, and errors
// during a process' exit do not count.

#include "core/analysis/trace_analysis.h"
#include "core/base/stop.h"
#include "core/derive/call_kinds.h"
#include "core/findings/evidence.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace warpline::failed_calls {

namespace {

constexpr std::string_view id = "failed_calls";
constexpr Threshold minCount{"min_count", "Minimum number of calls that fail", "", 1};
constexpr std::array thresholds{minCount};

/// A CUDA error, with its remedy.
struct CudaError {
    std::uint32_t code;
    std::string_view name;
    std::string_view remedy;
};

/// Those that programs meet most: driver_types.h, cudaError_t.
constexpr std::array errors{
    CudaError{
        1, "cudaErrorInvalidValue", "An argument is out of range: sizes, pointers, the direction of a copy."},
    CudaError{
        2, "cudaErrorMemoryAllocation", "Not enough memory: allocate less at once, or free memory earlier."},
    CudaError{9, "cudaErrorInvalidConfiguration",
        "More than 1024 threads per block, zero blocks, or more shared memory than the GPU has."},
    CudaError{
        35, "cudaErrorInsufficientDriver", "The driver is older than the CUDA runtime: update the driver."},
    CudaError{98, "cudaErrorInvalidDeviceFunction",
        "The program contains no code for this GPU: build with the matching -arch."},
    CudaError{100, "cudaErrorNoDevice", "No GPU is visible: check nvidia-smi and CUDA_VISIBLE_DEVICES."},
    CudaError{209, "cudaErrorNoKernelImageForDevice",
        "The program contains no code for this GPU: build with the matching -arch."},
    CudaError{222, "cudaErrorUnsupportedPtxVersion",
        "The toolkit is newer than the driver, which cannot compile its PTX. Build for this GPU with -arch, so that nothing is compiled, or update the driver."},
    CudaError{700, "cudaErrorIllegalAddress",
        "A kernel accesses memory that it must not: run it under compute-sanitizer."},
    CudaError{701, "cudaErrorLaunchOutOfResources",
        "The launch needs more registers or shared memory than a multiprocessor has: use fewer threads per block, or __launch_bounds__."},
    CudaError{702, "cudaErrorLaunchTimeout", "A kernel ran too long for a GPU that drives a display."},
    CudaError{719, "cudaErrorLaunchFailure", "A kernel failed: run it under compute-sanitizer."},
};
/// No errors: not ready yet; already mapped, enabled or unloading, as a process ends.
constexpr std::array<std::uint32_t, 5> harmless{0, 4, 600, 704, 709};

struct Failures {
    std::vector<EventRef> calls;
};

using ByCall = std::map<std::pair<StringId, std::uint32_t>, Failures>; ///< by name and error

ByCall failuresOf(const RuleContext& context)
{
    const EventTable& calls = context.trace.apiCalls();
    ByCall found;
    if (calls.attribute.size() != calls.size())
        return found;
    for (const EventIndex i : eventsIn(calls, context.window, context.stop)) {
        if (calls.attribute[i] != 0 && std::ranges::find(harmless, calls.attribute[i]) == harmless.end())
            found[{calls.name[i], calls.attribute[i]}].calls.push_back({EventKind::ApiCall, i});
    }
    return found;
}

/// Calls that ask whether something is there fail by the way: only those that are to do something count.
bool doesSomething(CallKind kind)
{
    return kind == CallKind::Launch || kind == CallKind::Copy || kind == CallKind::Set || waits(kind)
        || kind == CallKind::Allocate;
}

std::vector<Finding> findFailures(const RuleContext& context)
{
    const Trace& trace = context.trace;
    std::vector<Finding> findings;
    for (const auto& [what, failures] : failuresOf(context)) {
        const std::string_view call = bareCallName(trace.text(what.first));
        const CallKind kind = callKindOf(call);
        if (!doesSomething(kind) || !context.reaches(id, minCount, failures.calls.size()))
            continue;
        const auto* const error = std::ranges::find(errors, what.second, &CudaError::code);
        const std::string name = error != errors.end() ? fmt::format("{} ({})", error->name, what.second)
                                                       : fmt::format("error {}", what.second);
        Finding finding
            = findingWith(kind == CallKind::Launch ? Severity::High : Severity::Medium, Confidence::Certain);
        finding.subject = {Subject::Kind::Call, fmt::format("{} error {}", call, what.second)};
        finding.title = Message("failed_calls.title",
            "{calls, plural, one {# call of {call} fails} other {# calls of {call} fail}} with {error}",
            {{"calls", Count{failures.calls.size()}}, {"call", Name{std::string(call)}},
                {"error", Name{name}}});
        finding.message = kind == CallKind::Launch
            ? Message("failed_calls.launch",
                "A failed launch runs no kernel, so the times of this recording do not represent the program.")
            : Message("failed_calls.call", "Work after the failed call uses the old data.");
        if (error != errors.end())
            finding.remedy = Message(id, error->name, error->remedy)
                + Message("failed_calls.check", "Check the return value of each CUDA call.");
        setEvidence(
            finding, trace, failures.calls, {"failed_calls.error", "{error}", {{"error", Name{name}}}});
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule failedCalls{
    .id = id,
    .title = "CUDA calls that return an error",
    .why
    = "CUDA reports errors only by return value. A program that does not check it continues, and its kernels do not run.",
    .remedy
    = "Check the return value of each CUDA call (cudaGetErrorString), and cudaGetLastError() after each launch.",
    .caveat = "Some calls fail on purpose, such as a query of features.",
    .thresholds = thresholds,
    .applies = hasEvents<EventKind::ApiCall>,
    .check = findFailures,
};

} // namespace warpline::failed_calls
