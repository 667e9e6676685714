#include "core/export/handover_html.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/format.h"
#include "core/base/format_instant.h"
#include "core/base/path_names.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/export/cells_text.h"
#include "core/export/findings_html.h"
#include "core/export/html_text.h"
#include "core/export/overview_text.h"
#include "core/export/page_words.h"
#include "core/export/timeline_svg.h"
#include "core/findings/savings.h"
#include "core/overview/overview.h"
#include "core/query/range_stats.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/stats/stats_table.h"
#include "core/store/gpu_names.h"
#include "core/store/machine_facts.h"
#include "core/store/part_of_recording.h"
#include "core/store/range_words.h"
#include "core/store/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

namespace warpline {

namespace {

constexpr std::size_t maxRows = 24; // of a picture
constexpr std::size_t maxNames = 12; // of a range
constexpr std::size_t maxLines = 40; // of a statistics table
constexpr std::size_t maxFindings = 15;
constexpr std::size_t maxRanges = 50; // with a picture each
constexpr std::size_t maxMarks = 200; // in a picture
constexpr std::size_t maxChosenRows = 200;

constexpr std::string_view handoverStyle = R"(
body { font: 15px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem;
  color-scheme: light dark; color: #222; background: #fff; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1e23; } }
h2 { margin-top: 2.4rem; } h3 { margin-top: 1.6rem; font-size: 1.05rem; }
.notes { white-space: pre-line; border-left: 4px solid var(--orange); padding-left: .8rem; }
.scroll, .picture { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
td, th { padding: .15rem .8rem .15rem 0; text-align: left; border-bottom: 1px solid #8886; vertical-align: top; }
td.n, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td { overflow-wrap: anywhere; }
.facts, footer { color: #808080; }
)";

/// Whether a capture fact is a switch of the profiler, such as "record_shapes": its value reveals nothing.
bool isSwitch(const std::pair<std::string, std::string>& fact)
{
    constexpr std::array<std::string_view, 4> values{"yes", "no", "true", "false"};
    return !isOfMachine(fact.first) && std::ranges::find(values, fact.second) != values.end();
}

/// `trace` without information about who recorded it and where: the page may go to anybody. What the
/// profiler recorded stays known, because the advice depends on it.
Trace withoutMachine(const Trace& trace)
{
    Trace plain = trace;
    plain.info.path = std::string(baseName(trace.info.path));
    for (std::string* const told :
        {&plain.info.hostName, &plain.info.commandLine, &plain.info.operatingSystem})
        told->clear();
    plain.info.system.clear();
    plain.info.output.clear();
    std::erase_if(plain.info.capture, std::not_fn(isSwitch));
    setRecorder(plain.info, recorderOf(trace.info));
    setRank(plain.info, rankOf(trace.info));
    if (const auto part = partOf(trace.info)) // what lies outside is neither idle nor start-up here either
        setPart(plain.info, *part);
    return plain;
}

/// Removes the name of the host from `text`, and the home folders from paths.
std::string discreet(const std::string& text, const std::string& host)
{
    constexpr std::size_t minNameLength = 3; // a host named "a" would remove letters from words
    constexpr std::array<std::string_view, 2> homes{"/home/", "/Users/"};
    // Generic names such as "host" need no removal.
    const bool names = host.size() >= minNameLength && host != "host" && host != "localhost";
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = std::string_view(text).substr(at);
        const bool isHome
            = std::ranges::any_of(homes, [&](std::string_view home) { return rest.starts_with(home); });
        const bool isWord = (at == 0 || !isLetter(text[at - 1]))
            && (rest.size() == host.size() || !isLetter(rest[std::min(host.size(), rest.size() - 1)]));
        if (names && isWord && rest.starts_with(host)) {
            plain += "[host]";
            at += host.size();
        } else if (isHome) {
            plain += '~';
            const std::size_t name = text.find('/', at + 1) + 1;
            at = std::min(text.size(), text.find_first_of("/ \"'<&\n", name));
        } else {
            plain += text[at++];
        }
    }
    return plain;
}

Cells deviceCells(const Trace& trace, const std::vector<DeviceFigures>& devices)
{
    Cells cells;
    cells.columns = {{"GPU", Unit::Text}, {"Computes", Unit::Text}, {"Waits for pages", Unit::Text},
        {"Communicates", Unit::Text}, {"Copies only", Unit::Text}, {"Idle", Unit::Text}};
    for (const DeviceFigures& each : devices) {
        std::vector<Cell> row{plain(gpuNameWithOrdinal(trace, each.process, each.device))};
        for (const Ns time : {each.compute, each.stalled, each.communication, each.copyOnly, each.idle})
            row.emplace_back(formatDuration(time));
        cells.addRow(std::move(row));
    }
    return cells;
}

Cells nameCells(const Trace& trace, const std::vector<NameFigures>& names)
{
    Cells cells;
    cells.columns
        = {{"Name", Unit::Text}, {"Kind", Unit::Text}, {"Count", Unit::Count}, {"Total in range", Unit::Text},
            {"Share of its kind", Unit::Text}, {"Median", Unit::Text}, {"Longest", Unit::Text}};
    for (const NameFigures& each : std::span(names).first(std::min(maxNames, names.size())))
        cells.addRow({each.label, plain(titleOf(trace, each.kind, each.recordedOnGpu)),
            static_cast<std::int64_t>(each.count), formatDuration(each.total), formatShare(each.share),
            formatDuration(wholeNs(each.median)), formatDuration(each.max)});
    return cells;
}

Cells cellsOfMarks(const std::vector<Mark>& marks)
{
    Cells cells;
    cells.columns = {{"Mark", Unit::Text}, {"Start", Unit::Text}, {"Length", Unit::Text}};
    for (const Mark& mark : marks)
        cells.addRow({plain(titleOf(mark)), formatInstant(mark.range.start),
            mark.isMoment() ? std::string() : formatDuration(mark.range.duration())});
    return cells;
}

std::string rangeSection(const Trace& trace, const RowTree& rows, const HandoverChoice& choice,
    const HandoverRange& asked, const std::stop_token& stop)
{
    const std::string time = plain({"report.range", "{start} to {end}, {time}",
        {{"start", Name{formatInstant(asked.range.start)}}, {"end", Name{formatInstant(asked.range.end)}},
            {"time", Name{formatDuration(asked.range.duration())}}}});
    std::string html = asked.title.empty()
        ? fmt::format("<h2>{}</h2>\n", time)
        : fmt::format("<h2>{}</h2>\n<p class=\"facts\">{}</p>\n", htmlText(asked.title), time);
    // A stranger's view may name any number of rows and marks.
    std::vector<RowId> shown
        = choice.rows.empty() ? rowsWorthSeeing(trace, rows, asked.range, maxRows) : choice.rows;
    shown.resize(std::min(shown.size(), maxChosenRows));
    std::vector<Mark> marks;
    for (const Mark& mark : choice.marks) {
        if (marks.size() < maxMarks && asked.range.touches(mark.range.start, mark.range.end))
            marks.push_back(mark);
    }
    html += "<div class=\"picture\">" + timelineSvg({trace, rows, shown, asked.range, marks}) + "</div>\n";
    const RangeStats stats = rangeStats(trace, rows, {}, {}, asked.range, stop);
    if (!stats.devices.empty())
        html += "<h3>" + plain({"report.gpus", "GPUs"}) + "</h3>\n"
            + htmlTable(forReaders(deviceCells(trace, stats.devices)));
    if (!stats.names.empty())
        html += "<h3>" + plain({"report.names", "Top names"}) + "</h3>\n"
            + htmlTable(forReaders(nameCells(trace, stats.names)));
    return html;
}

std::string tablesSection(const Trace& trace, const HandoverChoice& choice, const std::stop_token& stop)
{
    std::string html;
    for (const std::string& id : choice.tables) {
        const StatsTable* const table = findStatsTable(id);
        if (!table || !table->applies(trace))
            continue;
        StatsQuery query;
        query.stop = stop;
        const Cells all = table->fill(trace, query);
        const std::size_t lines = std::min(maxLines, all.rowCount());
        html += fmt::format("<h2>{} ({})</h2>\n", render(table->titleText(), Markup::Html), htmlText(id))
            + htmlTable(all.part(0, lines));
        if (lines < all.rowCount())
            html += fmt::format("<p class=\"facts\">{}</p>\n",
                plain({"report.first_rows", "The first {shown} of {all} rows.",
                    {{"shown", Count{lines}}, {"all", Count{all.rowCount()}}}}));
    }
    return html;
}

std::string findingsSection(TraceAnalysis& facts, const HandoverChoice& choice)
{
    const Trace& trace = facts.trace();
    const std::vector<Finding> findings = runRules(facts, {}, choice.thresholds);
    std::string html = "<h2>" + plain(findingsTitle()) + "</h2>\n";
    if (findings.empty())
        return html + "<p>" + plain(nothingFound()) + "</p>\n";
    if (const Message together = savingsSentence(findings); !together.empty())
        html += fmt::format("<p>{}</p>\n", render(together, Markup::Html));
    for (const Finding& finding : std::span(findings).first(std::min(maxFindings, findings.size())))
        html += findingHtml(trace, finding);
    if (findings.size() > maxFindings)
        html += fmt::format("<p class=\"facts\">{}</p>\n", plain(moreText(findings.size() - maxFindings)));
    return html;
}

std::string pageOf(const Trace& trace, const HandoverChoice& choice, const std::stop_token& stop)
{
    const auto rows = buildRows(trace);
    TraceAnalysis facts(trace, trace.session, stop, choice.stepGlob);
    const std::string file
        = htmlText(choice.machine ? std::string_view(trace.info.path) : baseName(trace.info.path));
    const auto part = partOf(trace.info);
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{5}\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Warpline: {0}</title>\n"
        "<style>{1}{2}{3}</style></head>\n<body>\n<h1>{0}</h1>\n<p class=\"facts\">{4}</p>\n",
        file, handoverStyle, findingStyle(), timelineStyle(),
        plain(part ? partText(*part)
                   : Message("report.recorded", "{time} recorded",
                       {{"time", Name{formatDuration(trace.session.duration())}}})),
        pageLanguage());
    if (!choice.notes.empty()) {
        std::string notes = choice.notes;
        std::erase(notes, '\r'); // a newline is enough
        html += fmt::format("<p class=\"notes\">{}</p>\n", htmlText(notes));
    }
    if (!choice.marks.empty())
        html += "<h2>" + plain({"report.marks", "Marks"}) + "</h2>\n"
            + htmlTable(forReaders(cellsOfMarks(choice.marks)));
    html += overviewHtml(overviewOf(facts));
    std::vector<HandoverRange> ranges = choice.ranges;
    if (ranges.empty())
        ranges.push_back({plain(part ? Message("report.whole_part", "The whole part")
                                     : Message("report.whole", "The whole report")),
            trace.session});
    for (const HandoverRange& range : std::span(ranges).first(std::min(ranges.size(), maxRanges))) {
        throwIfStopped(stop);
        html += rangeSection(trace, *rows, choice, range, stop);
    }
    if (ranges.size() > maxRanges)
        html += fmt::format("<p class=\"facts\">{}</p>\n",
            plain({"report.more_ranges",
                "{count, plural, one {# more range is} other {# more ranges are}} not shown.",
                {{"count", Count{ranges.size() - maxRanges}}}}));
    if (choice.findings)
        html += findingsSection(facts, choice);
    html += tablesSection(trace, choice, stop);
    return html + "<footer><p>" + plain({"report.made_with", "Made with Warpline."})
        + "</p></footer>\n</body></html>\n";
}

} // namespace

std::vector<std::string> handoverTables()
{
    return {"cuda_gpu_kern_sum", "cuda_gpu_mem_time_sum", "cuda_api_sum", "nvtx_sum"};
}

std::string handoverHtml(const Trace& trace, const HandoverChoice& choice, const std::stop_token& stop)
{
    try {
        std::string page = choice.machine
            ? pageOf(withMachine(trace), choice, stop)
            : discreet(pageOf(withoutMachine(trace), choice, stop), htmlText(hostOf(trace.info)));
        return stop.stop_requested() ? std::string() : page;
    } catch (const Stopped&) {
        return {};
    }
}

} // namespace warpline
