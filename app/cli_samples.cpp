// warpline-cli samples: where time went by stacks, for flame graphs and for reading.

#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_documents.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/base/glob.h"
#include "core/base/near_names.h"
#include "core/base/words.h"
#include "core/export/cells_text.h"
#include "core/export/json_text.h"
#include "core/export/time_tree_text.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "core/timetree/time_tree_source.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace warpline::cli {

namespace {

struct SamplesOptions {
    ReportOptions report;
    std::string source = "cpu";
    std::string thread;
    std::string range;
    bool callers = false;
    bool list = false;
};

/// The threads whose id or name matches `wanted`; a name may contain * and ?.
std::vector<GlobalId> threadsNamed(const Trace& trace, const std::string& wanted)
{
    const auto number = wholeNumber<std::uint32_t>(wanted);
    std::vector<GlobalId> threads;
    for (const Thread& thread : trace.threads) {
        if (number ? tidOf(thread.id) == *number : matchesGlob(trace.text(thread.name), wanted))
            threads.push_back(thread.id);
    }
    return threads;
}

/// The reason why a source does not apply: "not recorded", or what is missing.
std::string whyNotThere(const TimeTreeSource& source, const Trace& trace)
{
    const std::string_view missing = source.whatIsMissing ? source.whatIsMissing(trace) : std::string_view();
    return missing.empty() ? plain(Message("samples.not_recorded", "not recorded")) : std::string(missing);
}

Json sourcesJson(const Trace& trace)
{
    Json sources = Json::array();
    for (const TimeTreeSource* const source : allTimeTreeSources()) {
        const bool isRecorded = source->applies(trace);
        sources.push_back({{"source", source->id}, {"title", plain(source->titleText())},
            {"description", plain(source->descriptionText())}, {"recorded", isRecorded},
            {"missing", isRecorded ? Json() : Json(whyNotThere(*source, trace))}});
    }
    return {{"sources", std::move(sources)}};
}

ExitCode listSources(Answer& answer, const Trace& trace)
{
    if (answer.isJson())
        return answer.add(sourcesJson(trace));
    std::string text;
    for (const TimeTreeSource* const source : allTimeTreeSources()) {
        const std::string missing = source->applies(trace) ? "" : " (" + whyNotThere(*source, trace) + ")";
        text += std::string(source->id) + missing + ": " + plain(source->descriptionText()) + "\n";
    }
    return answer.addText(text);
}

/// "it has --source nvtx, gpu, api".
std::string recordedSources(const Trace& trace)
{
    std::string names;
    for (const TimeTreeSource* const source : allTimeTreeSources()) {
        if (source->applies(trace))
            names += (names.empty() ? "" : ", ") + std::string(source->id);
    }
    return names.empty()
        ? plain(Message("samples.no_stacks", "it has no stacks"))
        : plain(Message("samples.has_sources", "it has --source {sources}", {{"sources", Name{names}}}));
}

ExitCode addTree(
    Answer& answer, const Trace& trace, const TimeTreeSource& source, TimeRange window, const TimeTree& tree)
{
    if (answer.isJson())
        return answer.add(timeTreeJson(trace, source, window, tree));
    if (answer.format() == "folded")
        return answer.addText(foldedStacks(trace, source, tree));
    constexpr std::size_t widest
        = 100; // names of templates go on for thousands of letters; json has them whole
    return answer.addText(toTable(forReaders(flatCells(trace, source, tree)), widest, answer.width()));
}

ExitCode runSamples(Answer& answer, const CLI::App& app, const SamplesOptions& options)
{
    const TimeTreeSource* const source = findTimeTreeSource(options.source);
    if (!source)
        answer.refuse({"samples.no_source", "there is no source '{name}'{near}; known: {known}",
            {{"name", Name{options.source}}, {"near", didYouMean(options.source, sourceNames())},
                {"known", Name{commaList(sourceNames())}}}});
    if (options.list && answer.format() == "folded")
        answer.refuse({"cli.list_formats", "--list prints a table or json"});
    if (options.list)
        refuseBeside(answer, app, {"--list", "--no-cache", "FILE"});
    const RangeArgument range = rangeOption(answer, options.range);
    const auto trace = openReport(answer, options.report);
    if (options.list)
        return listSources(answer, *trace);
    if (!source->applies(*trace))
        answer.note(
            Message("samples.none", "{file} has none of this: {source} ({why}); {others}",
                {{"file", Name{options.report.file}}, {"source", source->titleText()},
                    {"why", Name{whyNotThere(*source, *trace)}}, {"others", Name{recordedSources(*trace)}}}),
            options.report.file);
    TimeTreeQuery query;
    query.window = windowIn(answer, *trace, range);
    if (!options.thread.empty()) {
        query.threads = threadsNamed(*trace, options.thread);
        if (query.threads.empty())
            answer.refuse({"samples.no_thread", "--thread: {file} has no thread '{name}'",
                {{"file", Name{options.report.file}}, {"name", Name{options.thread}}}});
    }
    const TimeTree tree = source->fill(*trace, query);
    const TimeRange window = query.window.empty() ? trace->session : query.window;
    return addTree(answer, *trace, *source, window, options.callers ? callersFirst(tree) : tree);
}

std::function<ExitCode(Answer&)> declareSamples(CLI::App& app)
{
    auto options = std::make_shared<SamplesOptions>();
    addOption(app, "--source", options->source,
        {"samples.help_source",
            "cpu: CPU samples; python: samples of Python; blocked: calls of the operating system; nvtx: ranges by time of their thread; gpu: GPU work by range; api: CUDA calls by range"})
        ->capture_default_str();
    addOption(app, "--thread", options->thread,
        {"samples.help_thread", "Only this thread: id, or name with * and ?"});
    addOption(app, "--range", options->range, {"samples.help_range", "Only this range"}, "FROM:TO");
    addFlag(app, "--callers", options->callers,
        {"samples.help_callers", "Innermost functions first, with their callers below"});
    addFlag(app, "--list", options->list, {"samples.help_list", "List the sources in the report, then exit"});
    addReportOptions(app, options->report);
    return [options, &app](Answer& answer) { return runSamples(answer, app, *options); };
}

} // namespace

extern constinit const Command samplesCommand{.name = "samples",
    .summary = "Show where time went, by stacks: CPU samples, blocked calls, NVTX ranges",
    .formats = "table folded json",
    .declare = declareSamples};

} // namespace warpline::cli
