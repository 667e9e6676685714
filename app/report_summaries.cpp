#include "app/report_summaries.h"

#include "app/cli_report.h"
#include "core/export/ranks_text.h"

namespace warpline::cli {

ReportSummary summaryOfFile(const std::string& path, bool noCache)
{
    ReportSummary failed;
    failed.file = path;
    const auto trace = tryReport(path, noCache);
    if (trace.ok())
        return summarize(*trace.value(), path);
    failed.error = trace.error().message;
    return failed;
}

std::string ranksText(const AcrossReport& across, std::string_view format)
{
    if (format == "json")
        return ranksJson(across);
    if (format == "markdown")
        return ranksMarkdown(across);
    return format == "html" ? ranksHtml(across) : ranksTable(across);
}

} // namespace warpline::cli
