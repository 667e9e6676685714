#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

struct ReportInfo;

/// The recorder of a report, which decides the wording of advice on recording.
enum class Recorder : std::uint8_t {
    NsightSystems,
    PyTorchProfiler, ///< torch.profiler, by way of Kineto
    OtherTracer, ///< a trace in Chrome's format by whomever
};

/// Which of several programs of one run a report is of, as far as it records that.
struct ReportRank {
    std::int64_t rank = -1; ///< -1: unknown
    std::int64_t ranks = -1; ///< number of ranks; -1: unknown
    std::string foundBy; ///< the source: "distributedInfo"; empty: none
};

// Both are stored in ReportInfo::capture, where users see them.

/// The recorder of the report of `info`.
Recorder recorderOf(const ReportInfo& info);
/// `name`: of another tracer, where it is known.
void setRecorder(ReportInfo& info, Recorder recorder, std::string_view name = {});
/// The rank in a report of PyTorch's profiler; nothing for others, whose ranks have other sources.
ReportRank rankOf(const ReportInfo& info);
void setRank(ReportInfo& info, const ReportRank& rank);

/// Whether an Overhead event with this name is the profiler's own work. CUPTI also counts driver activity as
/// overhead, and nsys loading of libraries, both of which the program does without a profiler, too. A missing
/// name may be any of these.
bool isProfilersOwn(std::string_view overhead);

/// The value of `name` in `facts`; empty when there is none.
std::string_view valueOfFact(
    const std::vector<std::pair<std::string, std::string>>& facts, std::string_view name);
/// The same of the capture facts of a report.
std::string_view captureFact(const ReportInfo& info, std::string_view name);
/// The same of META_DATA_EXPORT.
std::string_view exportSetting(const ReportInfo& info, std::string_view name);

} // namespace warpline
