// warpline-cli: the same core without a window, for servers and scripts.

#include "core/base/utf8.h"
#include "core/export/findings_text.h"
#include "core/export/info_json.h"
#include "core/export/range_json.h"
#include "core/findings/rule.h"
#include "core/import/load_report.h"
#include "core/query/range_stats.h"
#include "core/rows/row_kind.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>

using namespace warpline;

namespace {

constexpr int exitFound = 1; ///< analyze --fail-on: a finding reaches the severity
constexpr int exitUsage = 2;
constexpr int exitUnreadable = 3;
constexpr int exitUnwritten = 4; ///< the output could not be written in full

/// Writes all of `text` to standard output, or says why it could not.
int write(const std::string& text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
        return 0;
    std::fprintf(stderr, "warpline-cli: the output could not be written: %s\n", std::strerror(errno));
    return exitUnwritten;
}

int fail(int code, const std::string& message)
{
    std::fprintf(stderr, "warpline-cli: %s\n", message.c_str());
    return code;
}

/// Loads `path` and hands the trace to `use`; its result is the exit code.
int withReport(const std::string& path, const std::function<int(const Trace&)>& use)
{
    auto trace = loadReport(path);
    if (!trace.ok())
        return fail(exitUnreadable, trace.error().message);
    return use(*trace.value());
}

bool parseRange(const std::string& text, TimeRange& range)
{
    long long from = 0;
    long long to = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lld:%lld%c", &from, &to, &rest) != 2 || to <= from)
        return false;
    range = {from, to};
    return true;
}

struct Options {
    std::string file;
    std::string format = "text";
    long long from = 0;
    long long to = 0;
    std::string range;
    std::vector<std::string> rules;
    std::string failOn;
};

int info(const Options& options)
{
    return withReport(options.file,
        [&](const Trace& trace) { return write(options.format == "json" ? infoJson(trace) : infoText(trace)); });
}

int range(const Options& options)
{
    if (options.to <= options.from)
        return fail(exitUsage, "--to must be greater than --from (both in ns)");
    return withReport(options.file, [&](const Trace& trace) {
        const auto rows = buildRows(trace);
        std::vector<RowId> asked;
        for (std::uint32_t i = 1; i < rows->size(); ++i) {
            if (!rows->row(RowId{i}).tracks.empty())
                asked.push_back(RowId{i});
        }
        const RangeStats stats = rangeStats(trace, *rows, asked, {}, {options.from, options.to});
        return write(options.format == "json" ? rangeJson(trace, *rows, asked, stats)
                                              : rangeText(trace, *rows, asked, stats));
    });
}

std::optional<Severity> severityNamed(const std::string& name)
{
    for (const Severity severity : {Severity::Info, Severity::Low, Severity::Medium, Severity::High}) {
        if (keyOf(severity) == name)
            return severity;
    }
    return std::nullopt;
}

int analyze(const Options& options)
{
    std::vector<const Rule*> rules;
    for (const std::string& name : options.rules) {
        const Rule* const rule = findRule(name);
        if (!rule) {
            std::string known;
            for (const Rule* const each : allRules())
                known += (known.empty() ? "" : ", ") + std::string(each->id);
            return fail(exitUsage, "there is no rule " + name + "; rules are: " + known);
        }
        rules.push_back(rule);
    }
    TimeRange window;
    if (!options.range.empty() && !parseRange(options.range, window))
        return fail(exitUsage, "--range takes FROM:TO in ns, FROM less than TO");
    return withReport(options.file, [&](const Trace& trace) {
        const std::vector<Finding> findings = runRules(trace, window.empty() ? trace.session : window, rules);
        const int written = write(options.format == "json" ? findingsJson(trace, findings)
                : options.format == "markdown"             ? findingsMarkdown(trace, findings)
                                                           : findingsTable(trace, findings));
        if (written != 0 || options.failOn.empty())
            return written;
        const Severity least = *severityNamed(options.failOn);
        const bool reached
            = std::ranges::any_of(findings, [&](const Finding& finding) { return finding.severity >= least; });
        return reached ? exitFound : 0;
    });
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error to report, not a reason to die silently
    CLI::App app("Reads Nsight Systems reports that were exported to SQLite.", "warpline-cli");
    app.set_version_flag("--version", WARPLINE_VERSION);
    app.require_subcommand(1);
    app.footer("Exit codes: 0 done, 1 analyze --fail-on was reached, 2 wrong usage, 3 a file cannot be read, 4 the output "
               "cannot be written.");
    Options options;
    int code = 0;
    const auto addFile = [&](CLI::App* command, const std::set<std::string>& formats) {
        command->add_option("FILE", options.file, "A file made with nsys export --type sqlite")->required();
        command->add_option("--format", options.format, "Format of the output")->check(CLI::IsMember(formats));
    };

    CLI::App* const infoCommand = app.add_subcommand("info", "What the report holds: counts, processes, devices, problems");
    addFile(infoCommand, {"text", "json"});
    infoCommand->callback([&] { code = info(options); });

    CLI::App* const rangeCommand = app.add_subcommand("range", "Statistics of a range of time");
    addFile(rangeCommand, {"text", "json"});
    rangeCommand->add_option("--from", options.from, "Start of the range in ns")->required();
    rangeCommand->add_option("--to", options.to, "End of the range in ns, not included")->required();
    rangeCommand->callback([&] { code = range(options); });

    CLI::App* const analyzeCommand = app.add_subcommand("analyze", "What is slow, where, why, and what to do");
    addFile(analyzeCommand, {"text", "table", "json", "markdown"});
    analyzeCommand->add_option("--rule", options.rules, "Only these rules, separated by commas")->delimiter(',');
    analyzeCommand->add_option("--range", options.range, "Only this range: FROM:TO in ns");
    analyzeCommand->add_option("--fail-on", options.failOn, "Exit with 1 when a finding is at least this severe")
        ->check(CLI::IsMember({"info", "low", "medium", "high"}));
    analyzeCommand->callback([&] { code = analyze(options); });

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
            return app.exit(error);
        return fail(exitUsage, std::string(error.what()) + " (see warpline-cli --help)");
    }
    return code;
}
