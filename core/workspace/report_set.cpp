#include "core/workspace/report_set.h"

#include "core/base/both_ends.h"
#include "core/base/file_wait.h"
#include "core/base/json_fields.h"
#include "core/base/path_names.h"
#include "core/base/platform/platform.h"
#include "core/load/recording.h"
#include "core/load/report_format.h"
#include "core/workspace/clock_offset.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace warpline {

namespace {

using Json = nlohmann::ordered_json;

constexpr int setVersion = 1;
constexpr std::uint32_t white = 0xFFFFFF;
constexpr std::size_t maxLabel = 400; // bytes

/// `path` as it is found from `folder`; whole where they share no root.
std::string relativeTo(const std::string& path, const std::string& folder)
{
    const auto relative = platform::pathOf(path).lexically_relative(platform::pathOf(folder));
    return relative.empty() ? path : platform::utf8Of(relative);
}

/// "#1f77b4" as a number.
std::optional<std::uint32_t> colorOf(const std::string& text)
{
    constexpr std::size_t length = 7;
    if (text.size() != length || text.front() != '#'
        || text.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos)
        return std::nullopt;
    return static_cast<std::uint32_t>(std::stoul(text.substr(1), nullptr, 16));
}

ReportChoices choicesOf(const Json& json)
{
    ReportChoices choices;
    choices.label = bothEnds(fieldOf<std::string>(json, "label").value_or(""), maxLabel);
    choices.color = colorOf(fieldOf<std::string>(json, "color").value_or(""));
    choices.isIncluded = fieldOf<bool>(json, "included").value_or(true);
    choices.rank = fieldOf<std::int64_t>(json, "rank");
    if (const auto offset = fieldOf<std::int64_t>(json, "offset_ns"))
        choices.offset = std::clamp(*offset, -maxOffset, maxOffset);
    return choices;
}

} // namespace

std::string openablePatterns()
{
    std::string patterns;
    for (const ReportFormat* const format : allReportFormats())
        patterns += std::string(format->patterns) + ' ';
    return patterns + std::string(recordingPatterns) + " *" + std::string(reportSetEnding);
}

bool isReportSet(std::string_view path)
{
    return path.ends_with(reportSetEnding);
}

std::string reportSetJson(const std::vector<ReportOfSet>& reports, const std::string& folder)
{
    Json list = Json::array();
    for (const ReportOfSet& report : reports) {
        Json entry{{"file", relativeTo(report.path, folder)}};
        const ReportChoices& choices = report.choices;
        if (!choices.label.empty())
            entry["label"] = choices.label;
        if (choices.color)
            entry["color"] = fmt::format("#{:06x}", *choices.color & white);
        if (!choices.isIncluded)
            entry["included"] = false;
        if (choices.rank)
            entry["rank"] = *choices.rank;
        if (choices.offset)
            entry["offset_ns"] = *choices.offset;
        list.push_back(std::move(entry));
    }
    const Json document{{"warpline_reports", setVersion}, {"reports", std::move(list)}};
    constexpr int indent = 2;
    return document.dump(indent, ' ', false, Json::error_handler_t::replace) + '\n';
}

Result<std::vector<ReportOfSet>> parseReportSet(
    std::string_view json, const std::string& folder, const std::string& name)
{
    const Json document = parseJson(json);
    if (document.is_discarded())
        return Error{"file.no_json", "{path} is not valid JSON.", {{"path", Name{name}}}};
    if (document.is_object() && document.contains("warpline_view"))
        return savedByWindow(true, name);
    const auto version = document.is_object() ? fieldOf<int>(document, "warpline_reports") : std::nullopt;
    if (!version || !document.contains("reports") || !document["reports"].is_array())
        return Error{"report_set.empty", "{path} lists no reports.", {{"path", Name{name}}}};
    if (*version > setVersion)
        return Error{"file.newer", "{path} was written by a newer Warpline.", {{"path", Name{name}}}};
    std::vector<ReportOfSet> reports;
    for (const Json& entry : document["reports"]) {
        const auto file = entry.is_object() ? fieldOf<std::string>(entry, "file") : std::nullopt;
        if (!file || file->empty())
            return Error{
                "report_set.no_file", "{path} lists a report without a file.", {{"path", Name{name}}}};
        if (namesMachine(*file) && !namesMachine(folder))
            return Error{"report_set.elsewhere",
                "{path} lists a report on another machine, {file}. Open that report itself.",
                {{"path", Name{name}}, {"file", Name{*file}}}};
        const auto path = (platform::pathOf(folder) / platform::pathOf(*file)).lexically_normal();
        reports.push_back({platform::utf8Of(path.has_filename() ? path : path.parent_path()),
            choicesOf(entry)}); // "x/" is "x"
    }
    if (reports.empty())
        return Error{"report_set.empty", "{path} lists no reports.", {{"path", Name{name}}}};
    return reports;
}

Result<std::vector<ReportOfSet>> readReportSet(const std::string& path)
{
    const FileWait wait(path);
    std::ifstream file(platform::pathOf(path), std::ios::binary);
    if (!file)
        return Error{"file.not_there", "{path} does not exist or cannot be read.", {{"path", Name{path}}}};
    constexpr std::size_t most = 16U << 20U; // a set of a hundred thousand reports
    std::string text(most + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > most)
        return Error{"report_set.too_large", "{path} is too large for a report set.", {{"path", Name{path}}}};
    auto set = parseReportSet(text, platform::utf8Of(platform::pathOf(path).parent_path()), path);
    if (set.ok()) {
        std::set<std::filesystem::path> known;
        std::erase_if(set.value(),
            [&](const ReportOfSet& report) { return !known.insert(fileBehind(report.path)).second; });
    }
    return set;
}

SideFiles reportsOfSide(const std::string& operand)
{
    SideFiles files;
    if (isReportSet(operand)) {
        const auto set = readReportSet(operand);
        if (!set.ok())
            return {{{}, {set.error().message}}, {}};
        for (const ReportOfSet& report : set.value()) {
            if (!report.choices.isIncluded)
                continue;
            files.paths.push_back(report.path);
            files.choices.push_back(report.choices);
        }
    } else
        files = {findReportFiles(namesOfSide(operand)), {}};
    if (files.paths.empty() && files.problems.empty())
        files.problems.push_back(
            {"compare.no_report", "{operand} names no report", {{"operand", Name{operand}}}});
    return files;
}

} // namespace warpline
