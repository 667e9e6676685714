// warpline-cli name: details of the events of one name.

#include "app/cli_arguments.h"
#include "app/cli_cells.h"
#include "app/cli_command.h"
#include "app/cli_documents.h"
#include "app/cli_filter.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/base/message_names.h"
#include "core/base/near_names.h"
#include "core/base/utf8.h"
#include "core/export/cells_text.h"
#include "core/export/name_text.h"
#include "core/query/find_names.h"
#include "core/render/render.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpline::cli {

namespace {

struct NameOptions {
    ReportOptions report;
    std::string name;
    std::string kind;
    std::string where;
    std::string range;
    std::string by;
};

/// The grouping of --by.
struct Grouping {
    std::optional<NameGrouping> grouping;
    std::string field;
};

std::string_view kindKeyOf(const FoundName& found)
{
    return warpline::kindKeyOf(found.query.kind, found.query.recordedOnGpu);
}

std::optional<Grouping> groupingNamed(const std::string& text)
{
    constexpr std::string_view payload = "payload.";
    if (text.empty())
        return Grouping{};
    if (text.starts_with(payload) && text.size() > payload.size())
        return Grouping{NameGrouping::Payload, text.substr(payload.size())};
    for (const NameGroupingInfo& info : allNameGroupings()) {
        if (info.key == text)
            return Grouping{info.grouping, {}};
    }
    return std::nullopt;
}

ExitCode noSuchName(Answer& answer, const NameOptions& options, const Trace& trace)
{
    constexpr std::size_t most = 5;
    std::string like;
    for (const std::string& name : namesLike(trace, options.name, most))
        like += "\n  " + onOneLine(name);
    return answer.complain({.code = ExitCode::WrongUsage,
        .message
        = Message("name.none",
              "{file} has no {narrowed, select, yes {matching } other {}}{any, select, yes {event} other {{kind}}} named '{name}'; {like, select, yes {names that contain it:} other {'warpline-cli stats' lists names}}",
              {{"file", Name{options.report.file}},
                  {"narrowed", Name{options.where.empty() && options.range.empty() ? "no" : "yes"}},
                  {"any", yesOrNo(options.kind.empty())}, {"kind", Name{options.kind}},
                  {"name", Name{options.name}}, {"like", Name{like.empty() ? "no" : "yes"}}})
            + like,
        .file = options.report.file,
        .hasLines = true});
}

ExitCode addReport(Answer& answer, const NameOptions& options, const Trace& trace, const NameReport& report)
{
    if (answer.isJson())
        return answer.add(nameJson(trace, report, options.report.file));
    return addLines(answer, nameCells(report), [&] { return nameText(trace, report, answer.width()); });
}

ExitCode runName(Answer& answer, const NameOptions& options)
{
    filterOf(answer, options.where);
    const auto by = groupingNamed(options.by);
    if (!by)
        answer.refuse({"name.no_grouping", "--by: there is no '{name}'{near}; known: {known}",
            {{"name", Name{options.by}}, {"near", didYouMean(options.by, groupingNames())},
                {"known", Name{commaList(groupingNames())}}}});
    const RangeArgument range = rangeOption(answer, options.range);
    const auto trace = openReport(answer, options.report);
    const TimeRange window = windowIn(answer, *trace, range);
    const std::vector<FoundName> found = findNames(*trace, options.name, window, options.where);
    const auto chosen = std::ranges::find_if(found,
        [&](const FoundName& each) { return options.kind.empty() || kindKeyOf(each) == options.kind; });
    if (chosen == found.end())
        return noSuchName(answer, options, *trace);
    for (const FoundName& other : found) {
        if (options.kind.empty() && &other != &*chosen && !isDerived(other.query.kind)
            && !other.query.recordedOnGpu)
            answer.note(
                Message("name.other_kinds", "other kinds of events have this name, too: --kind {kind}",
                    {{"kind", Name{std::string(kindKeyOf(other))}}}));
    }
    if (by->grouping && !canGroup(*trace, chosen->query.kind, *by->grouping))
        answer.note(
            Message("name.no_difference", "--by: events of kind {kind} do not differ by {by} in this report",
                {{"kind", Name{std::string(kindKeyOf(*chosen))}}, {"by", Name{options.by}}}));
    return addReport(answer, options, *trace, nameReport(*trace, chosen->query, by->grouping, by->field));
}

std::function<ExitCode(Answer&)> declareName(CLI::App& app)
{
    auto options = std::make_shared<NameOptions>();
    addReportOptions(app, options->report);
    addOption(app, "NAME", options->name,
        {"name.help_name", "Full name, short name of a kernel, or pattern with * and ?"})
        ->required();
    addOption(app, "--kind", options->kind,
        {"name.help_kind", "Kind of event, if several have this name: kernel, cuda_api, nvtx ..."});
    addWhereOption(app, options->where);
    addOption(app, "--range", options->range, {"cli.range_overlap", "Only events that overlap this range"},
        "FROM:TO");
    addOption(app, "--by", options->by,
        {"name.help_by", "Add the same numbers per group: {groups}",
            {{"groups", Name{commaList(groupingNames())}}}});
    return [options](Answer& answer) { return runName(answer, *options); };
}

} // namespace

extern constinit const Command nameCommand{.name = "name",
    .summary = "Show durations of all events of one name: percentiles, histogram, groups",
    .formats = "table json csv markdown",
    .declare = declareName};

} // namespace warpline::cli
