// warpline-cli range: statistics of a part of the report.

#include "app/cli_arguments.h"
#include "app/cli_columns.h"
#include "app/cli_command.h"
#include "app/cli_filter.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/export/range_json.h"
#include "core/operators/range_work.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/store/counter_title.h"
#include "core/store/gpu_names.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace warpline::cli {

namespace {

constexpr std::size_t maxNames = 20; // a text answer is for reading; JSON has them all
constexpr std::size_t longestLabel = 70; // characters

struct RangeOptions {
    ReportOptions report;
    std::string range;
    std::string from;
    std::string to;
};

std::string shortened(const std::string& text)
{
    if (characters(text) <= longestLabel)
        return text;
    std::size_t bytes = longestLabel - 1;
    while (bytes > 0 && isWithinLetter(text[bytes]))
        --bytes;
    return text.substr(0, bytes) + "\u2026";
}

std::string rowsTable(const RowTree& rows, const std::vector<RowId>& asked, const RangeStats& stats)
{
    std::vector<std::vector<std::string>> lines;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const TrackFigures& figures = stats.rows[i];
        if (figures.count == 0)
            continue;
        std::string path;
        for (const std::string& label : labelPath(rows, asked[i]))
            path += (path.empty() ? "" : " > ") + label;
        const double share = static_cast<double>(figures.busy)
            / static_cast<double>(std::max<Ns>(1, stats.window.duration()));
        lines.push_back({formatShare(share), formatDuration(figures.busy), formatCount(figures.count),
            formatCount(figures.gaps), toUtf8(path)});
    }
    return textTable({{"busy", Align::Right}, {"time", Align::Right}, {"events", Align::Right},
                         {"gaps", Align::Right}, {"row"}},
        lines);
}

std::string devicesTable(const RangeStats& stats)
{
    std::vector<std::vector<std::string>> lines;
    for (const DeviceFigures& device : stats.devices) {
        lines.push_back({std::to_string(device.number), std::to_string(pidOf(device.process)),
            formatDuration(device.compute), formatDuration(device.communication),
            formatDuration(device.stalled), formatDuration(device.copyOnly), formatDuration(device.idle),
            formatDuration(device.overlap)});
    }
    return textTable(
        {{"GPU", Align::Right}, {"pid", Align::Right}, {"compute", Align::Right},
            {"communication", Align::Right}, {"wait for pages", Align::Right}, {"only copies", Align::Right},
            {"idle", Align::Right}, {"copies during compute", Align::Right}},
        lines);
}

std::string copiesTable(const RangeStats& stats)
{
    std::vector<std::vector<std::string>> lines;
    for (const CopyFigures& copies : stats.copies) {
        lines.push_back({formatCount(copies.count), formatDuration(copies.total), formatBytes(copies.bytes),
            formatDuration(copies.whole), formatThroughput(copies.throughput()), formatCount(copies.pageable),
            std::string(labelOf(copies.kind))});
    }
    return textTable({{"count", Align::Right}, {"total in range", Align::Right},
                         {"whole bytes", Align::Right}, {"whole time", Align::Right},
                         {"throughput", Align::Right}, {"pageable", Align::Right}, {"copies"}},
        lines);
}

std::string namesTable(const Trace& trace, const RangeStats& stats)
{
    std::vector<std::vector<std::string>> lines;
    for (const NameFigures& name : stats.names) {
        if (lines.size() == maxNames)
            break;
        lines.push_back({formatDuration(name.total), formatShare(name.share), formatCount(name.count),
            formatDuration(wholeNs(name.mean)), formatDuration(wholeNs(name.median)),
            formatDuration(name.min), formatDuration(name.max),
            plain(titleOf(trace, name.kind, name.recordedOnGpu)), shortened(name.label)});
    }
    return textTable({{"total in range", Align::Right}, {"share", Align::Right}, {"count", Align::Right},
                         {"mean", Align::Right}, {"median", Align::Right}, {"min", Align::Right},
                         {"max", Align::Right}, {"kind"}, {"name"}},
        lines);
}

std::string countersTable(const Trace& trace, const RangeStats& stats)
{
    std::vector<std::vector<std::string>> lines;
    for (const CounterFigures& figures : stats.counters) {
        if (figures.low == 0 && figures.high == 0)
            break; // those that stayed zero come last
        const CounterSeries& series = trace.counters[figures.counter];
        lines.push_back({counterValueText(trace, series, figures.mean, 1),
            counterValueText(trace, series, static_cast<double>(figures.low)),
            counterValueText(trace, series, static_cast<double>(figures.high)), formatCount(figures.samples),
            plain(counterPlace(trace, series)), plain(counterTitle(trace, series))});
    }
    return textTable({{"mean", Align::Right}, {"min", Align::Right}, {"max", Align::Right},
                         {"samples", Align::Right}, {"of"}, {"counter"}},
        lines);
}

std::string rangeText(
    const Trace& trace, const RowTree& rows, const std::vector<RowId>& asked, const RangeStats& stats)
{
    std::string text
        = plain(Message("range.head",
              "{start} to {end}: {time}, {events, plural, one {# event} other {# events}}",
              {{"start", Instant{stats.window.start}}, {"end", Instant{stats.window.end}},
                  {"time", Name{formatDuration(stats.window.duration())}}, {"events", Count{stats.events}}}))
        + '\n';
    for (const RangeWork& work : rangeWork(trace, stats.window))
        text
            += fmt::format("{}: {}\n", gpuName(trace, work.process, work.device), plain(rangeWorkText(work)));
    for (const std::string& table : {devicesTable(stats), copiesTable(stats), namesTable(trace, stats),
             rowsTable(rows, asked, stats), countersTable(trace, stats)}) {
        if (!table.empty())
            text += '\n' + table;
    }
    if (stats.names.size() > maxNames)
        text += '\n'
            + plain(Message("range.names",
                "The {shown} names with the most time of {all}; --format json has all.",
                {{"shown", Count{maxNames}}, {"all", Count{stats.names.size()}}}))
            + '\n';
    return text;
}

ExitCode runRange(Answer& answer, const RangeOptions& options)
{
    if (options.range.empty() && (options.from.empty() || options.to.empty()))
        answer.refuse({"range.give", "give the range with --range FROM:TO, or with --from and --to"});
    const RangeArgument range = answer.usable(parseRange(options.range, options.from, options.to));
    const auto trace = openReport(answer, options.report);
    const TimeRange window = rangeIn(answer, *trace, range);
    const auto rows = buildRows(*trace);
    const std::vector<RowId> asked = rowsWithEvents(*rows);
    const RangeStats stats = rangeStats(*trace, *rows, asked, {}, window);
    return answer.isJson() ? answer.add(rangeJson(*trace, *rows, asked, stats))
                           : answer.addText(rangeText(*trace, *rows, asked, stats));
}

std::function<ExitCode(Answer&)> declareRange(CLI::App& app)
{
    auto options = std::make_shared<RangeOptions>();
    addOption(app, "--range", options->range,
        {"range.help_range", "FROM:TO in ns on the report's clock, or numbers with ns, us, ms or s"},
        "FROM:TO");
    addOption(
        app, "--from", options->from, {"cli.help_from", "Start; --from and --to are the same as --range"});
    addOption(app, "--to", options->to, {"cli.help_to", "End, not included"});
    refuseWhereOption(app, Message("range.no_where", "busy time, gaps and overlap are those of whole rows."));
    addReportOptions(app, options->report);
    return [options](Answer& answer) { return runRange(answer, *options); };
}

} // namespace

extern constinit const Command rangeCommand{.name = "range",
    .summary = "Summarize a range: busy time, names, copies, overlap, counters",
    .formats = "text json",
    .declare = declareRange};

} // namespace warpline::cli
