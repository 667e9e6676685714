#include "app/cli_report.h"

#include "app/cli_export.h"
#include "app/cli_stop.h"
#include "app/cli_usage.h"
#include "app/open_traces.h"
#include "core/base/format.h"
#include "core/base/platform/platform.h"
#include "core/cache/report_key.h"
#include "core/cache/trace_cache.h"
#include "core/findings/lost_work.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/store/machine_facts.h"
#include "core/store/part_of_recording.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <mutex>
#include <set>

namespace warpline::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// One line on a terminal that is overwritten during loading, and erased at the end.
class ProgressLine {
public:
    ~ProgressLine()
    {
        if (m_shown)
            std::fputs("\r\033[K", stderr);
    }

    void show(const LoadProgress& progress)
    {
        constexpr auto patience = std::chrono::milliseconds(500);
        const std::scoped_lock lock(m_mutex); // called from several threads
        if (Clock::now() - m_started < patience || progress.rowsTotal == 0)
            return;
        const double share = static_cast<double>(progress.rowsRead) / static_cast<double>(progress.rowsTotal);
        const std::string line = "\r\033[K" + plain(progress.stage) + " " + formatShare(share);
        std::fputs(line.c_str(), stderr);
        m_shown = true;
    }

private:
    Clock::time_point m_started = Clock::now();
    std::mutex m_mutex;
    bool m_shown = false;
};

/// The part of `range` in `whole`, which is the session of `trace`, with or without marks at its very end.
TimeRange partIn(Answer& answer, const Trace& trace, const RangeArgument& range, TimeRange whole)
{
    const TimeRange asked = range.within(whole);
    const TimeRange inside = asked.clippedTo(whole);
    const std::vector<Argument> covered{
        {"start", Instant{trace.session.start}}, {"end", Instant{trace.session.end}}};
    if (inside.empty() && range.isGiven())
        throw Ended{answer.complain({ExitCode::WrongUsage,
            Message("cli.range_empty", "The range is empty: the report covers {start} to {end}.", covered),
            trace.info.path})};
    if (inside != asked)
        answer.note(Message("cli.range_shortened",
                        "The range is shortened: the report covers {start} to {end}.", covered),
            trace.info.path);
    return inside;
}

/// Says that `info` is of the recording at `path`: the user knows no name of the cache. Who reads more of the
/// report finds a recording there, not another report.
void nameRecording(ReportInfo& info, const std::string& path)
{
    const auto key = warpline::keyOf(path);
    info.path = path;
    info.fileBytes = key ? key->bytes : 0;
    info.fileSample = key ? key->sample : 0;
}

} // namespace

bool& machineAsked()
{
    static bool asked = false;
    return asked;
}

void addReportOptions(CLI::App& app, ReportOptions& options)
{
    addCacheOption(app, options.noCache);
    addOption(app, "FILE", options.file,
        {"cli.report_file", "Report, such as an export made with nsys export --type sqlite"})
        ->required();
}

void addCacheOption(CLI::App& app, bool& noCache)
{
    addFlag(app, "--no-cache", noCache, {"cli.no_cache", "Read the report itself, not the cache"});
}

void addStepsOption(CLI::App& app, const char* names, std::string& steps)
{
    addOption(app, names, steps,
        {"cli.step_ranges", "Name of the NVTX ranges that are steps, with * and ?; default: detected"},
        "NAME");
}

void addMachineOption(CLI::App& app)
{
    addFlag(app, "--machine", machineAsked(),
        {"cli.machine", "Show host and command line, which are hidden by default"});
}

Result<std::shared_ptr<const Trace>> tryReport(const std::string& path, bool noCache)
{
    ProgressLine line;
    LoadOptions options;
    options.stop = commandStop();
    if (platform::isTerminal(platform::standardError))
        options.progress = [&](const LoadProgress& progress) { line.show(progress); };
    if (!noCache)
        options.cacheFolder = defaultCacheFolder();
    return openTrace(path, [&]() -> Result<std::shared_ptr<const Trace>> {
        const Result<std::string> exported = exportOf(path, noCache);
        if (!exported.ok())
            return exported.error();
        auto trace = loadReport(exported.value(), options);
        if (!trace.ok() || (exported.value() == path && !machineAsked()))
            return trace;
        auto named = std::make_shared<Trace>(machineAsked() ? withMachine(*trace.value()) : *trace.value());
        if (exported.value() != path)
            nameRecording(named->info, path);
        return std::shared_ptr<const Trace>(std::move(named));
    });
}

void noteIncomplete(Answer& answer, const Trace& trace, const std::string& path, bool showsPart)
{
    for (Message& note : incompleteNotes(trace)) {
        if (!showsPart || note != partNote(trace.info))
            answer.note(std::move(note), path);
    }
}

Complaint gateOfIncomplete(const std::string& path, const std::string& option)
{
    return {ExitCode::NoVerdict,
        Message("cli.gate_of_incomplete", "{file} is incomplete: {option} has no verdict",
            {{"file", Name{path}}, {"option", Name{option}}}),
        path};
}

std::shared_ptr<const Trace> openReport(Answer& answer, const std::string& path, bool noCache, bool showsPart)
{
    auto trace = tryReport(path, noCache);
    if (trace.ok()) {
        noteIncomplete(answer, *trace.value(), path, showsPart);
        return trace.take();
    }
    throw Ended{answer.complain({ExitCode::UnreadableReport, trace.error().message, path})};
}

std::shared_ptr<const Trace> openReport(Answer& answer, const ReportOptions& options)
{
    return openReport(answer, options.file, options.noCache);
}

RangeArgument rangeOption(Answer& answer, const std::string& text)
{
    RangeArgument range = answer.usable(parseRange(text.empty() ? ":" : text), "--range");
    range.isTyped = !text.empty();
    return range;
}

TimeRange windowIn(Answer& answer, const Trace& trace, const RangeArgument& range)
{
    return range.isTyped ? rangeIn(answer, trace, range) : TimeRange{};
}

TimeRange rangeIn(Answer& answer, const Trace& trace, const RangeArgument& range)
{
    return partIn(answer, trace, range, {trace.session.start, trace.session.end + 1});
}

TimeRange analyzedRange(Answer& answer, const Trace& trace, const RangeArgument& range)
{
    return partIn(answer, trace, range, trace.session);
}

void addJobsOption(CLI::App& app, std::size_t& jobs)
{
    constexpr std::size_t most = 1024;
    addOption(app, "--jobs,-j", jobs,
        {"cli.jobs", "Number of reports to read at a time; the output is the same"}, "N")
        ->check(inRange<std::size_t>(1, most))
        ->capture_default_str();
}

void refuseBeside(Answer& answer, const CLI::App& app, std::initializer_list<const char*> options)
{
    std::set<const CLI::Option*> heeded;
    for (const char* const common : {"--format", "--output", "--force"})
        heeded.insert(app.get_option_no_throw(common));
    for (const char* const option : options)
        heeded.insert(app.get_option(option));
    for (const CLI::Option* const option : app.get_options()) {
        if (option->count() > 0 && !heeded.contains(option))
            answer.refuse({"cli.not_for_list", "{option} does not apply to a list",
                {{"option",
                    Name{option->nonpositional() ? "--" + option->get_lnames().front()
                                                 : option->get_name(true)}}}});
    }
}

} // namespace warpline::cli
