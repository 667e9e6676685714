// An analysis on one line: for people, and as CSV.

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/export/analysis_format.h"
#include "core/export/text_pieces.h"
#include "core/render/render.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warpline {

namespace {

std::string nothing()
{
    return {};
}

std::string nothingOf(std::span<const OutputError> /*errors*/)
{
    return {};
}

std::size_t countOf(const Json& report, std::string_view severity)
{
    std::size_t count = 0;
    for (const Json& finding : report["findings"])
        count += finding["severity"] == severity ? 1 : 0;
    return count;
}

std::string textOf(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : value.is_null() ? std::string() : value.dump();
}

/// The value of the checklist's first question: how long the GPUs are busy. null: not analyzed.
const Json& busyOf(const Json& report)
{
    return report["checklist"][0]["value"];
}

std::string briefLine(const Json& report, std::size_t /*place*/)
{
    const Json& findings = report["findings"];
    const Json& busy = busyOf(report);
    Message line("analyze.brief",
        "{file}: {found, select, yes {{severity}, {title} ({rule})} empty {no events} other {nothing found}}{known, select, yes {, GPU busy {busy}} other {}}{others, plural, =0 {} other {, # more}}",
        {{"file", Name{textOf(report["file"])}},
            {"found",
                Name{!findings.empty()          ? "yes"
                        : report["events"] == 0 ? "empty"
                                                : "no"}},
            {"known", Name{busy.is_null() ? "no" : "yes"}},
            {"busy", Name{busy.is_null() ? "" : formatShare(busy.get<double>() / 100)}},
            {"others", Count{findings.empty() ? 0 : findings.size() - 1}},
            {"severity", Name{findings.empty() ? "" : textOf(findings[0]["severity"])}},
            {"title", Name{findings.empty() ? "" : textOf(findings[0]["title"])}},
            {"rule", Name{findings.empty() ? "" : textOf(findings[0]["rule"])}}});
    return shownText(plain(line) + "\n");
}

std::string csvHead()
{
    return "File,Range (ns),GPU busy (%),Findings,High,Medium,Low,Potential saving (ns),Top finding,Top rule,"
           "Top severity,Top saving (ns)\n";
}

std::string csvLine(const Json& report, std::size_t /*place*/)
{
    const Json& findings = report["findings"];
    const Json none{{"id", ""}, {"rule", ""}, {"severity", ""}, {"saving_ns", nullptr}};
    const Json& first = findings.empty() ? none : findings[0];
    const Json& range = report["range_ns"];
    std::string line;
    appendQuoted(line, textOf(report["file"]));
    line += fmt::format(",{},{},{},{},{},{},{},",
        range["end"].get<std::int64_t>() - range["start"].get<std::int64_t>(), textOf(busyOf(report)),
        findings.size(), countOf(report, "high"), countOf(report, "medium"), countOf(report, "low"),
        textOf(report["savings"]["together_ns"]));
    appendQuoted(line, textOf(first["id"]));
    return line
        + fmt::format(
            ",{},{},{}\n", textOf(first["rule"]), textOf(first["severity"]), textOf(first["saving_ns"]));
}

} // namespace

extern constinit const AnalysisFormat analysisBrief{.name = "brief",
    .meaning = "One line of text for each report: its top finding",
    .begin = nothing,
    .report = briefLine,
    .end = nothingOf};

extern constinit const AnalysisFormat analysisCsv{.name = "csv",
    .meaning = "Comma-separated values with a header line; analyze: a line for each report",
    .begin = csvHead,
    .report = csvLine,
    .end = nothingOf};

} // namespace warpline
