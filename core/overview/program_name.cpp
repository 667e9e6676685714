#include "core/overview/program_name.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/utf8.h"
#include "core/findings/kernel_totals.h"
#include "core/store/machine_facts.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <vector>

namespace warpline {

namespace {

/// Programs that only start another one.
constexpr std::array<std::string_view, 16> wrappers{"timeout", "time", "env", "nice", "numactl", "taskset",
    "stdbuf", "bash", "sh", "zsh", "sudo", "xvfb-run", "setsid", "ionice", "chrt", "unbuffer"};

std::string fileOf(const std::string& path)
{
    return path.substr(path.find_last_of("/\\") + 1);
}

std::vector<std::string> wordsIn(const std::string& command)
{
    std::istringstream stream(command);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

/// The script that an interpreter runs, or its module; empty: none is named.
std::string scriptOf(const std::vector<std::string>& words, std::size_t interpreter)
{
    for (std::size_t i = interpreter + 1; i < words.size(); ++i) {
        if (words[i] == "-m" && i + 1 < words.size())
            return words[i + 1];
        if (words[i].front() != '-')
            return words[i].ends_with(".py") ? fileOf(words[i]) : std::string();
    }
    return {};
}

/// The report has a place for the command, but it is empty: it was blanked before sharing.
bool isBlanked(const ReportInfo& info)
{
    return std::ranges::any_of(info.capture,
        [](const auto& fact) { return fact.first.ends_with(":COMMAND") && fact.second.empty(); });
}

} // namespace

std::string programOf(const std::string& command, const std::string& process)
{
    const std::vector<std::string> words = wordsIn(command);
    std::size_t place = 0;
    std::string name = words.empty() ? fileOf(process) : fileOf(words.front());
    if (std::ranges::find(wrappers, name) != wrappers.end() && !process.empty()) {
        const auto own = std::ranges::find(words, fileOf(process), fileOf);
        place = static_cast<std::size_t>(own - words.begin());
        name = fileOf(process);
    }
    const std::string script = name.starts_with("python") ? scriptOf(words, place) : std::string();
    return !script.empty() ? fmt::format("{} ({})", script, name) : name.empty() ? "The program" : name;
}

std::string programOf(const Trace& trace)
{
    const std::string command = commandOf(trace.info);
    return command.empty() ? std::string() : programOf(command.substr(launchedProgram(command)), {});
}

Message programName(const Trace& trace, TraceAnalysis& facts)
{
    const std::string command = commandOf(trace.info);
    const Process* const process
        = facts.gpus().empty() ? nullptr : trace.process(facts.gpus().front().process);
    const std::string file = process ? toUtf8(trace.text(process->name)) : std::string();
    if (command.empty() && file.empty() && isBlanked(trace.info))
        return {"overview.blanked_program", "A program whose name was blanked"};
    return {"overview.program", "{name}",
        {{"name", Name{programOf(toUtf8(command.substr(launchedProgram(command))), file)}}}}; // not "mpirun"
}

} // namespace warpline
