#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace warpline::bench {

/// Prints benchmarks as usual and keeps their times for the table of ratios.
class KeepingReporter : public benchmark::ConsoleReporter {
public:
    KeepingReporter();
    void ReportRuns(const std::vector<Run>& runs) override;

    /// What one iteration took, in ns; 0 when the benchmark did not run.
    struct Times {
        double wall = 0;
        double processor = 0; ///< of all threads together
    };
    Times timesOf(const std::string& name) const;

private:
    std::map<std::string, Times> m_times;
};

/// One line of the table: a value, its reference in the same run, and its target.
struct RatioLine {
    std::string what;
    std::string figure;
    std::string baseline;
    std::string ratio;
    std::string target;
};

/// The lines as a table of Markdown.
std::string ratioTable(const std::vector<RatioLine>& lines);

/// Peak resident memory of this process, in bytes.
std::uint64_t peakMemory();
/// Restarts peakMemory() from the current resident memory. False where the kernel does not support it.
bool resetPeakMemory();

} // namespace warpline::bench
