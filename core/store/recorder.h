#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpline {

struct ReportInfo;

/// Who recorded a report: what advice may ask to be recorded, and in which words.
enum class Recorder : std::uint8_t {
    NsightSystems,
    PyTorchProfiler, ///< torch.profiler, by way of Kineto
    OtherTracer, ///< a trace in Chrome's format by whomever
};

/// Which of several programs that ran together a report is of, as far as the report itself says.
struct ReportRank {
    std::int64_t rank = -1; ///< -1: it does not say
    std::int64_t ranks = -1; ///< how many there were; -1: it does not say
    std::string foundBy; ///< what says it: "distributedInfo"; empty: nothing does
};

// Both are kept among the facts of how the report was recorded (ReportInfo::capture), where users see them.

/// Who recorded `info`'s report.
Recorder recorderOf(const ReportInfo& info);
/// `name`: of another tracer, where it is known.
void setRecorder(ReportInfo& info, Recorder recorder, std::string_view name = {});
/// The rank that a report of PyTorch's profiler names; nothing for others, whose ranks are found elsewhere.
ReportRank rankOf(const ReportInfo& info);
void setRank(ReportInfo& info, const ReportRank& rank);

/// Whether the profiler itself did what an event of kind Overhead is called. CUPTI counts as such what it saw
/// the driver do, too, and nsys that libraries are loaded: that is the program's own, with a profiler or
/// without.
bool isProfilersOwn(std::string_view overhead);

/// The value of `name` among the facts of how a report was recorded; empty when there is none.
std::string_view captureFact(const ReportInfo& info, std::string_view name);

} // namespace warpline
