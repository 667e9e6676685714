#include "app/report_summaries.h"

#include "app/cli_report.h"
#include "core/export/ranks_text.h"
#include "core/render/render.h"
#include "core/workspace/report_set.h"

#include <nlohmann/json.hpp>

namespace warpline::cli {

RunFiles reportsAt(const std::vector<std::string>& places)
{
    RunFiles files;
    for (const std::string& place : places) {
        const SideFiles here = isReportSet(place) ? reportsOfSide(place)
                                                  : SideFiles{findReportFiles(std::span(&place, 1)), {}};
        files.paths.insert(files.paths.end(), here.paths.begin(), here.paths.end());
        files.problems.insert(files.problems.end(), here.problems.begin(), here.problems.end());
        for (const ReportChoices& choices : here.choices)
            files.choices.push_back(choiceOf(choices));
        files.choices.resize(files.paths.size());
    }
    constexpr std::size_t most = 0xFFFF; // range of ReportId
    if (files.paths.size() > most) {
        files.problems.push_back({"ranks.too_many",
            "{reports} reports are too many: at most {most} fit into one run. Name fewer.",
            {{"reports", Ordinal{static_cast<std::int64_t>(files.paths.size())}}, {"most", Ordinal{most}}}});
        files.paths.clear();
        files.choices.clear();
    }
    return files;
}

ReportSummary summaryOfFile(const std::string& path, bool noCache, Answer* answer)
{
    ReportSummary failed;
    failed.file = path;
    const auto trace = tryReport(path, noCache);
    if (trace.ok()) {
        if (answer)
            noteIncomplete(*answer, *trace.value(), path);
        return summarize(*trace.value(), path);
    }
    failed.error = plain(trace.error().message);
    return failed;
}

ExitCode addRanks(Answer& answer, const AcrossReport& across, std::size_t top)
{
    return answer.isJson()              ? answer.add(ranksJson(across))
        : answer.format() == "markdown" ? answer.addText(ranksMarkdown(across, top))
        : answer.format() == "html"     ? answer.addText(ranksHtml(across, top))
                                        : answer.addText(ranksTable(across, top, answer.width()));
}

ExitCode judgedOf(Answer& answer, const AcrossReport& across)
{
    return across.judged ? ExitCode::Ok : answer.mention({ExitCode::NothingJudged, across.verdict.sentence});
}

} // namespace warpline::cli
