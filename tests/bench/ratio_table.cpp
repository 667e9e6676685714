#include "tests/bench/ratio_table.h"

#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace warpline::bench {

KeepingReporter::KeepingReporter()
    : ConsoleReporter(isatty(STDOUT_FILENO) != 0 ? OO_ColorTabular : OO_Tabular)
{
}

void KeepingReporter::ReportRuns(const std::vector<Run>& runs)
{
    std::vector<Run> single; // the three runs are more informative than their mean
    for (const Run& run : runs) {
        if (run.run_type != Run::RT_Iteration || run.iterations == 0)
            continue;
        single.push_back(run);
        const auto iterations = static_cast<double>(run.iterations);
        const Times times{
            run.real_accumulated_time * 1e9 / iterations, run.cpu_accumulated_time * 1e9 / iterations};
        const std::string full = run.benchmark_name();
        const auto [place, added] = m_times.try_emplace(full.substr(0, full.find('/')), times);
        // The best repetition has the least noise.
        place->second.wall = std::min(place->second.wall, times.wall);
        place->second.processor = std::min(place->second.processor, times.processor);
    }
    if (!single.empty())
        ConsoleReporter::ReportRuns(single);
}

KeepingReporter::Times KeepingReporter::timesOf(const std::string& name) const
{
    const auto found = m_times.find(name);
    return found != m_times.end() ? found->second : Times{};
}

std::string ratioTable(const std::vector<RatioLine>& lines)
{
    std::string text = "| What | Figure | Against | Ratio | Target |\n|---|---:|---:|---:|---:|\n";
    for (const RatioLine& line : lines) {
        for (const std::string& cell : {line.what, line.figure, line.baseline, line.ratio, line.target})
            text += "| " + (cell.empty() ? std::string("-") : cell) + ' ';
        text += "|\n";
    }
    return text;
}

std::uint64_t peakMemory()
{
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        if (word == "VmHWM:") {
            std::uint64_t kilobytes = 0;
            status >> kilobytes;
            return kilobytes * 1024;
        }
    }
    return 0;
}

bool resetPeakMemory()
{
    std::ofstream refs("/proc/self/clear_refs");
    refs << '5' << std::flush; // proc(5): resets the peak resident set size
    return refs.good();
}

} // namespace warpline::bench
