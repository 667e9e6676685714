#include "core/export/name_text.h"

#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/utf8.h"
#include "core/export/cells_text.h"
#include "core/export/event_cells.h"
#include "core/export/json_text.h"
#include "core/export/page_words.h"
#include "core/findings/evidence.h"
#include "core/render/render.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace warpline {

namespace {

constexpr std::size_t histogramBins = 40;

std::string realDuration(double ns)
{
    return formatDuration(wholeNs(ns));
}

std::string percent(Ns part, Ns whole)
{
    return whole > 0 ? formatShare(static_cast<double>(part) / static_cast<double>(whole)) : "0%";
}

/// A bar a bin: how often, and how much of the time.
std::string histogramText(const NameReport& report)
{
    constexpr std::size_t width = 40;
    const DurationHistogram& histogram = report.histogram;
    std::uint64_t highest = 1;
    for (const std::uint64_t count : histogram.counts)
        highest = std::max(highest, count);
    std::string text;
    for (std::size_t i = 0; i < histogram.bins(); ++i) {
        if (histogram.counts[i] == 0)
            continue;
        const auto bar = static_cast<std::size_t>(std::ceil(
            static_cast<double>(histogram.counts[i]) / static_cast<double>(highest) * double(width)));
        text += fmt::format("{:>10}  {:<40}  {:>10}  {}\n", formatDuration(histogram.edges[i]),
            std::string(bar, '#'), formatCount(histogram.counts[i]),
            plain({"name.share", "{share} of the time",
                {{"share",
                    Name{fmt::format("{:>6}", percent(histogram.totals[i], report.figures.total))}}}}));
    }
    return text;
}

Json numberJson(double value, double unit)
{
    return value < 0 ? Json(nullptr) : Json(value / unit);
}

/// The operators' work in the kernels; null where it is unknown.
void addWorkJson(Json& json, const KernelWork& work)
{
    json["flops"] = numberJson(work.of(WorkColumn::Flops), 1);
    json["tflops_per_s"] = numberJson(work.of(WorkColumn::FlopRate), 1e12);
    json["tb_per_s"] = numberJson(work.of(WorkColumn::ByteRate), 1e12);
    json["roofline_percent"] = numberJson(work.of(WorkColumn::Roofline), 0.01);
    json["bound"] = work.bound == RooflineBound::Unknown ? Json(nullptr) : Json(keyOf(work.bound));
}

Json eventJson(const EventTable& table, EventIndex event)
{
    if (event == noIndex)
        return nullptr;
    return {{"start_ns", table.start[event]}, {"duration_ns", table.duration[event]},
        {"row_id", table.sourceRow[event]}};
}

void addFigures(Json& json, const DurationFigures& figures)
{
    json["count"] = figures.count;
    json["total_ns"] = figures.total;
    json["min_ns"] = figures.least;
    json["mean_ns"] = jsonNs(figures.mean);
    json["deviation_ns"] = jsonNs(figures.deviation);
    json["p25_ns"] = jsonNs(figures.p25);
    json["median_ns"] = jsonNs(figures.median);
    json["p75_ns"] = jsonNs(figures.p75);
    json["p90_ns"] = jsonNs(figures.p90);
    json["p95_ns"] = jsonNs(figures.p95);
    json["p99_ns"] = jsonNs(figures.p99);
    json["p999_ns"] = jsonNs(figures.p999);
    json["max_ns"] = figures.most;
}

std::string labelOf(const NameGroup& group)
{
    if (group.others > 0)
        return plain({"name.others", "{others} others", {{"others", Count{group.others}}}});
    return group.label.empty() ? plain({"name.no_group", "(none)"}) : plain(group.label);
}

std::vector<Cell> figureCells(const DurationFigures& figures)
{
    return {static_cast<std::int64_t>(figures.count), figures.total, figures.least, figures.mean,
        figures.median, figures.p90, figures.p95, figures.p99, figures.p999, figures.most, figures.deviation};
}

} // namespace

NameReport nameReport(const Trace& trace, const NamedQuery& query, std::optional<NameGrouping> grouping,
    std::string_view field, const std::stop_token& stop)
{
    const EventTable& table = trace.table(query.kind);
    const std::vector<EventIndex> events = eventsOf(trace, query, stop);
    NameReport report;
    report.query = query;
    report.window = query.window.empty() ? trace.session : query.window;
    report.figures = durationFigures(table, events, stop);
    report.totalOfKind = totalDuration(trace, query);
    report.grouping = grouping;
    report.field = field;
    if (events.empty())
        return report;
    if (query.form == NameForm::Label)
        report.name = toUtf8(query.label);
    else
        report.name = toUtf8(query.name ? trace.text(*query.name) : std::string_view(query.filter));
    report.middle = nearestTo(table, events, report.figures.median, stop);
    report.outliers = events.size()
        - shorterThan(table, events, static_cast<Ns>(std::floor(report.figures.outlierFence())) + 1, stop);
    const bool logarithmic = report.figures.most > 3 * std::max<Ns>(1, report.figures.least);
    report.histogram = durationHistogram(
        table, events, histogramEdges(report.figures, histogramBins, logarithmic), logarithmic, stop);
    NameGroupQuery groups{.grouping = grouping.value_or(NameGrouping::Device),
        .field = field,
        .ofAll = &report.figures,
        .addTo = {}};
    std::shared_ptr<const OperatorRooflines> rooflines;
    if (query.kind == EventKind::Kernel)
        rooflines = operatorRooflinesOf(trace, stop);
    if (rooflines && !rooflines->empty()) {
        groups.addTo = [&](EventIndex kernel, GroupSums& sums) { addWork(trace, *rooflines, kernel, sums); };
        GroupSums sums{};
        for (const EventIndex kernel : events)
            groups.addTo(kernel, sums);
        report.work = workOfGroup(sums);
    }
    if (grouping)
        report.groups = groupsOf(trace, query.kind, events, groups, stop);
    return report;
}

Cells nameCells(const NameReport& report)
{
    Cells cells;
    const std::string title
        = report.grouping ? std::string(infoOf(*report.grouping).title) : std::string("Name");
    cells.columns = {{title, Unit::Text}, {"Time (%)", Unit::Percent}, {"Instances", Unit::Count},
        {"Total Time (ns)", Unit::Nanoseconds}, {"Min (ns)", Unit::Nanoseconds},
        {"Avg (ns)", Unit::NanosecondsReal}, {"Med (ns)", Unit::NanosecondsReal},
        {"P90 (ns)", Unit::NanosecondsReal}, {"P95 (ns)", Unit::NanosecondsReal},
        {"P99 (ns)", Unit::NanosecondsReal}, {"P99.9 (ns)", Unit::NanosecondsReal},
        {"Max (ns)", Unit::Nanoseconds}, {"StdDev (ns)", Unit::NanosecondsReal}};
    const bool hasWork = report.work.bound != RooflineBound::Unknown || report.work.flops >= 0;
    if (hasWork)
        std::ranges::copy(workColumns(), std::back_inserter(cells.columns));
    const auto add = [&](const std::string& label, double share, const DurationFigures& figures,
                         const KernelWork& work) {
        std::vector<Cell> row{label, share * 100};
        const std::vector<Cell> rest = figureCells(figures);
        row.insert(row.end(), rest.begin(), rest.end());
        if (hasWork)
            appendWork(row, work);
        std::vector<EventRef> longest;
        if (figures.longest != noIndex)
            longest.push_back({report.query.kind, figures.longest});
        cells.addRow(std::move(row), longest);
    };
    if (!report.grouping && report.figures.count > 0)
        add(report.name, 1, report.figures, report.work);
    for (const NameGroup& group : report.groups)
        add(labelOf(group), group.share, group.figures, workOfGroup(group.sums));
    return cells;
}

std::string nameText(const Trace& trace, const NameReport& report, std::size_t width)
{
    const DurationFigures& figures = report.figures;
    std::string text = onOneLine(report.name) + "\n"
        + plain({"name.head",
            "{kind}, {whole, select, yes {whole: } other {}}{time} in {events, plural, one {# event} other {# events}}, {share} of the time of this kind",
            {{"kind", titleOf(trace, report.query.kind, report.query.recordedOnGpu)},
                {"time", Name{formatDuration(figures.total)}},
                {"whole", yesOrNo(!report.query.window.empty())}, {"events", Count{figures.count}},
                {"share", Name{percent(figures.total, report.totalOfKind)}}}})
        + "\n\n";
    const auto line = [&](const Message& title, const std::string& value, const Message& note = {}) {
        text += fmt::format(
            "  {:<10} {:>12}{}\n", plain(title), value, note.empty() ? "" : "   " + plain(note));
    };
    const auto at = [&](EventIndex event) {
        return event == noIndex ? Message()
                                : Message("name.at", "at {time}",
                                    {{"time", Instant{trace.table(report.query.kind).start[event]}}});
    };
    line({"name.min", "min"}, formatDuration(figures.least), at(figures.shortest));
    line({"name.mean", "mean"}, realDuration(figures.mean));
    line({"name.deviation", "deviation"}, realDuration(figures.deviation));
    line({"name.median", "median"}, realDuration(figures.median), at(report.middle));
    line(std::string("p90"), realDuration(figures.p90));
    line(std::string("p95"), realDuration(figures.p95));
    line(std::string("p99"), realDuration(figures.p99));
    line(std::string("p99.9"), realDuration(figures.p999));
    line({"name.max", "max"}, formatDuration(figures.most), at(figures.longest));
    line({"name.outliers", "outliers"}, formatCount(report.outliers),
        {"name.longer", "longer than {time}", {{"time", Name{realDuration(figures.outlierFence())}}}});
    text += "\n" + histogramText(report);
    if (report.grouping)
        text += "\n" + toTable(forReaders(nameCells(report)), 0, width);
    return text;
}

Json nameJson(const Trace& trace, const NameReport& report, std::string_view file)
{
    const EventTable& table = trace.table(report.query.kind);
    Json json;
    json["file"] = jsonText(file);
    json["name"] = report.name;
    json["kind"] = kindKeyOf(report.query.kind, report.query.recordedOnGpu);
    json["range_ns"] = jsonRange(report.window);
    addFigures(json, report.figures);
    json["total_of_kind_ns"] = report.totalOfKind;
    json["outliers"]
        = {{"count", report.outliers}, {"longer_than_ns", jsonNs(report.figures.outlierFence())}};
    json["shortest"] = eventJson(table, report.figures.shortest);
    json["median_event"] = eventJson(table, report.middle);
    json["longest"] = eventJson(table, report.figures.longest);
    json["histogram"] = Json::array();
    for (std::size_t i = 0; i < report.histogram.bins(); ++i) {
        json["histogram"].push_back(
            {{"from_ns", report.histogram.edges[i]}, {"to_ns", report.histogram.edges[i + 1]},
                {"count", report.histogram.counts[i]}, {"total_ns", report.histogram.totals[i]}});
    }
    addWorkJson(json, report.work);
    json["by"] = report.grouping ? Json(infoOf(*report.grouping).key) : Json();
    json["groups"] = Json::array();
    for (const NameGroup& group : report.groups) {
        Json line;
        line["label"] = group.others > 0 || group.label.empty() ? Json() : Json(plain(group.label));
        line["others"] = group.others;
        line["share_percent"] = group.share * 100;
        addFigures(line, group.figures);
        addWorkJson(line, workOfGroup(group.sums));
        line["longest"] = eventJson(table, group.figures.longest);
        json["groups"].push_back(std::move(line));
    }
    return json;
}

} // namespace warpline
