#include "app/cli_report.h"

#include "app/cli_export.h"
#include "app/cli_stop.h"
#include "app/open_traces.h"
#include "core/base/format.h"
#include "core/base/platform/platform.h"
#include "core/base/utf8.h"
#include "core/cache/trace_cache.h"
#include "core/load/load_report.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <mutex>

namespace warpline::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// One line on a terminal that is written over as loading goes on, and wiped at the end.
class ProgressLine {
public:
    ~ProgressLine()
    {
        if (m_shown)
            std::fputs("\r\033[K", stderr);
    }

    void show(const LoadProgress& progress)
    {
        constexpr auto patience = std::chrono::milliseconds(500);
        const std::scoped_lock lock(m_mutex); // called from several threads
        if (Clock::now() - m_started < patience || progress.rowsTotal == 0)
            return;
        const double share = static_cast<double>(progress.rowsRead) / static_cast<double>(progress.rowsTotal);
        const std::string line = "\r\033[K" + progress.stage + " " + formatShare(share);
        std::fputs(line.c_str(), stderr);
        m_shown = true;
    }

private:
    Clock::time_point m_started = Clock::now();
    std::mutex m_mutex;
    bool m_shown = false;
};

} // namespace

CLI::Option* addReportOptions(CLI::App& app, ReportOptions& options)
{
    addCacheOption(app, options.noCache);
    return app.add_option("FILE", options.file, "The report: a file made with nsys export --type sqlite")
        ->required();
}

void addCacheOption(CLI::App& app, bool& noCache)
{
    app.add_flag("--no-cache", noCache, "Read the report itself, never a copy kept from an earlier opening");
}

Result<std::shared_ptr<const Trace>> tryReport(const std::string& path, bool noCache)
{
    ProgressLine line;
    LoadOptions options;
    options.stop = commandStop();
    if (platform::isTerminal(platform::standardError))
        options.progress = [&](const LoadProgress& progress) { line.show(progress); };
    if (!noCache)
        options.cacheFolder = defaultCacheFolder();
    const Result<std::string> exported = exportOf(path, noCache);
    if (!exported.ok())
        return exported.error();
    return openTrace(exported.value(), [&] { return loadReport(exported.value(), options); });
}

std::shared_ptr<const Trace> openReport(const std::string& path, bool noCache)
{
    auto trace = tryReport(path, noCache);
    if (!trace.ok()) {
        complain(trace.error().message);
        return nullptr;
    }
    return trace.take();
}

std::optional<TimeRange> rangeIn(const Trace& trace, const RangeArgument& range)
{
    // Marks at the very end of the session belong to it.
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    const TimeRange asked = range.within(trace.session);
    const TimeRange inside = asked.clippedTo(whole);
    const std::string report = fmt::format(
        "the report lies between {} and {}", formatTime(trace.session.start), formatTime(trace.session.end));
    if (inside.empty() && range.isGiven()) {
        complain(fmt::format("The range holds nothing: {}.", report));
        return std::nullopt;
    }
    if (inside != asked)
        complain(fmt::format("The range is cut: {}.", report));
    return inside;
}

ExitCode ReportTexts::add(const std::string& file, std::string_view text)
{
    if (!m_several)
        return print(text);
    const bool first = m_added++ == 0;
    if (!m_json)
        return print(fmt::format("{}== {} ==\n{}", first ? "" : "\n", file, text));
    if (text.ends_with('\n'))
        text.remove_suffix(1);
    return print(fmt::format("{}{}", first ? "[\n" : ",\n", text));
}

ExitCode ReportTexts::finish()
{
    if (!m_several || !m_json)
        return ExitCode::Ok;
    return print(m_added == 0 ? "[]\n" : "\n]\n");
}

ExitCode wrongUsage(std::string_view command, std::string_view message)
{
    complain(fmt::format("{}. Try 'warpline-cli {} --help'.", message, command));
    return ExitCode::WrongUsage;
}

ExitCode print(std::string_view text)
{
    return printBytes(shownText(text));
}

ExitCode printBytes(std::string_view bytes)
{
    Output output;
    if (const auto written = output.write(bytes); !written.ok()) {
        complain(written.error().message);
        return ExitCode::WriteFailed;
    }
    return ExitCode::Ok;
}

} // namespace warpline::cli
