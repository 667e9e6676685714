#include "core/load/report_format.h"

#include "core/base/list.h"
#include "core/files/plain_file.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace warpline {

// One line a format: declared, then listed.
#define WARPLINE_REPORT_FORMATS(X) \
    X(nsys_sqlite, nsysSqlite)     \
    X(kineto_json, kinetoJson)     \
    X(rocpd_sqlite, rocpdSqlite)   \
    X(rocprof_json, rocprofJson)

WARPLINE_FILE_LIST(ReportFormat, allReportFormats, WARPLINE_REPORT_FORMATS)

bool isNamedAs(const std::string& path, const ReportFormat& format)
{
    std::istringstream all{std::string(format.patterns)}; // "*.json *.json.gz"
    return std::any_of(std::istream_iterator<std::string>(all), {},
        [&](const std::string& pattern) { return path.ends_with(std::string_view(pattern).substr(1)); });
}

const ReportFormat& formatOf(const std::string& path, std::span<const ReportFormat* const> formats)
{
    const std::string head = beginningOfText(path, formatHeadBytes);
    const auto recognizes
        = [&](const ReportFormat* format) { return !head.empty() && format->recognizes(head); };
    for (const ReportFormat* const format : formats) {
        if (format->holds != nullptr && recognizes(format) && format->holds(path))
            return *format;
    }
    for (const ReportFormat* const format : formats) {
        if (format->holds == nullptr && recognizes(format))
            return *format;
    }
    const auto named
        = std::ranges::find_if(formats, [&](const ReportFormat* format) { return isNamedAs(path, *format); });
    return named == formats.end() ? *formats.front() : **named;
}

} // namespace warpline
