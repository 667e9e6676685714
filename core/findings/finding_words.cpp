#include "core/findings/finding_words.h"

#include "core/base/enum_key.h"
#include "core/base/shell_words.h"
#include "core/base/utf8.h"
#include "core/files/plain_file.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace warpline {

namespace {

std::string_view keyOf(Subject::Kind kind)
{
    return keyIn<Subject::Kind::Direction>(
        {"whole", "part", "cause", "range", "steps", "call", "kernel", "function", "direction"}, kind);
}

/// The processes that have findings' times: those with API calls, else all.
std::size_t placeOf(const Trace& trace, GlobalId process)
{
    std::set<GlobalId> processes;
    for (const Track& track : trace.apiCalls().tracks)
        processes.insert(processOf(track.owner));
    processes.insert(processOf(process));
    return static_cast<std::size_t>(std::distance(processes.begin(), processes.find(processOf(process))));
}

/// The file at `path` for a command: "./-run.sqlite", since a dash begins an option. Alone it is standard
/// input.
std::string fileWord(const std::string& path)
{
    return shellQuoted(path.starts_with('-') && path != standardInputName ? "./" + path : path);
}

} // namespace

std::string keyOf(const Subject& subject)
{
    if (subject.kind == Subject::Kind::Whole && subject.thread.empty())
        return {};
    std::string key
        = fmt::format("{}{}{}", keyOf(subject.kind), subject.name.empty() ? "" : ":", subject.name);
    if (!subject.thread.empty())
        key += ",thread:" + subject.thread;
    key = toUtf8(key);
    std::ranges::replace(key, '/', '_');
    std::ranges::replace(key, ' ', '_');
    return key;
}

Message messageOf(const Finding& finding)
{
    Message text = finding.message + finding.alone;
    if (finding.perStep > 0)
        text += Message("finding.per_step", "Potential saving per step: up to {saving}.",
            {{"saving", Duration{finding.perStep}}});
    if (finding.ofLoneRank)
        text += Message("finding.lone_rank",
            "This is an upper bound, because the report is of one rank alone: it may wait for another rank anyway. Open the "
            "reports of the other ranks together for the exact value.");
    return text;
}

Message caveatOf(const Finding& finding)
{
    const Rule* const rule = findRule(finding.rule);
    return finding.caveat.empty() && rule ? rule->caveatText() : finding.caveat;
}

std::string stableId(const Trace& trace, const Finding& finding)
{
    std::string who = "all";
    if (finding.process != 0) {
        const auto rank = trace.mpiRanks.empty() ? std::nullopt : trace.mpiRank(finding.process);
        who = rank ? fmt::format("rank {}", *rank)
                   : fmt::format("process {}", placeOf(trace, finding.process));
    }
    const std::string gpu = finding.device >= 0 ? fmt::format("gpu {}", finding.device) : "no gpu";
    const std::string subject = keyOf(finding.subject);
    return fmt::format("{}/{}/{}{}{}", finding.rule, who, gpu, subject.empty() ? "" : "/", subject);
}

std::string askOn(const Trace& trace, const Finding& finding, TimeRange window, const std::string& stepGlob)
{
    const bool isPart
        = !window.empty() && (window.start > trace.session.start || window.end < trace.session.end);
    const std::string where
        = isPart ? fmt::format(" --range {}:{}", window.start, window.end) : std::string();
    const std::string steps
        = stepGlob.empty() ? std::string() : " --steps=" + shellQuoted(toUtf8(stepGlob)); // may be "-x"
    return fmt::format("warpline-cli analyze --explain --rule {}{}{} {}", finding.rule, where, steps,
        fileWord(toUtf8(trace.info.path)));
}

} // namespace warpline
