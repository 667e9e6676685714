// warpline-cli compare: whether a change helped. Two reports, two sets of ranks, or two parts of one report.

#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_documents.h"
#include "app/cli_nvtx.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/base/near_names.h"
#include "core/base/share.h"
#include "core/base/words.h"
#include "core/compare/compare_runs.h"
#include "core/compare/compare_stats.h"
#include "core/compare/facts.h"
#include "core/export/compare_text.h"
#include "core/findings/lost_work.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "core/workspace/report_set.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <ranges>

namespace warpline::cli {

namespace {

struct SideOptions {
    std::vector<std::string> recordings; ///< of --a or --b
    std::string range;
    std::string steps;
    std::string nvtx;
};

struct CompareOptions {
    std::vector<std::string> files;
    Both<SideOptions> sides;
    std::string nvtx;
    std::string reports;
    std::optional<double> failOn;
    std::size_t rows = 20;
    double runNoise = 100 * assumedRunNoise;
    bool noCache = false;
};

/// The files of a side: a report, a set of reports that was saved, several with commas between, a folder or a
/// pattern.
Result<std::vector<std::string>> filesOf(const std::string& operand)
{
    ReportFiles found = reportsOfSide(operand);
    if (!found.problems.empty())
        return Error{found.problems.front()};
    return std::move(found.paths);
}

/// "7" is one step, "10:20" those from the tenth to the nineteenth.
Result<StepSpan> spanOf(const std::string& text)
{
    if (text.empty())
        return StepSpan{};
    const std::size_t colon = text.find(':');
    const std::string_view all = text;
    const auto first = wholeNumber<std::size_t>(all.substr(0, colon));
    const auto end = colon == std::string::npos ? first : wholeNumber<std::size_t>(all.substr(colon + 1));
    if (!first || !end)
        return Error{"compare.no_step", "'{text}' is not a step: use N or FROM:TO, counted from 0",
            {{"text", Name{text}}}};
    const StepSpan span{*first, colon == std::string::npos ? *end + 1 : *end};
    if (span.empty())
        return Error{"compare.empty_steps", "'{text}' contains no step", {{"text", Name{text}}}};
    return span;
}

/// The values of --report: sections, and statistics tables.
struct Asked {
    std::vector<std::string> sections;
    std::vector<std::pair<const StatsTable*, std::string>> tables; ///< and variants
    bool everything() const { return sections.empty() && tables.empty(); }
    bool has(const std::string& section) const
    {
        return everything() || std::ranges::find(sections, section) != sections.end();
    }
};

Result<Asked> askedFor(const std::string& reports)
{
    Asked asked;
    for (const std::string& name : splitList(reports)) {
        if (std::ranges::find(compareSections(), name) != compareSections().end()) {
            asked.sections.push_back(name);
            continue;
        }
        const std::size_t colon = name.find(':');
        const StatsTable* const table = findStatsTable(name.substr(0, colon));
        const std::string variant = colon == std::string::npos ? std::string() : name.substr(colon + 1);
        if (!table || table->shape == TableShape::Trace || !takesVariant(*table, variant))
            return Error{"compare.no_part",
                "'{name}' is not a part of a comparison{near}; known: {known}, and the summary tables of 'warpline-cli stats --list'",
                {{"name", Name{name}}, {"near", didYouMean(name, sectionNames())},
                    {"known", Name{fmt::format("{}", fmt::join(compareSections(), ", "))}}}};
        asked.tables.emplace_back(table, variant);
    }
    if (!asked.tables.empty() && asked.sections.empty())
        asked.sections.emplace_back("none"); // tables alone
    return asked;
}

/// Reads reports, each file once.
class Reader {
public:
    Reader(Answer& answer, bool noCache)
        : m_answer(answer),
          m_noCache(noCache)
    {
    }
    std::shared_ptr<const Trace> read(const std::string& file)
    {
        const auto [place, added] = m_known.try_emplace(file);
        if (added)
            place->second = openReport(m_answer, file, m_noCache);
        return place->second;
    }

private:
    Answer& m_answer;
    bool m_noCache;
    std::map<std::string, std::shared_ptr<const Trace>> m_known;
};

/// The reports of one recording.
std::vector<SideReport> readRecording(Answer& answer, const std::string& operand, Reader& reader)
{
    const auto files = filesOf(operand);
    if (!files.ok())
        throw Ended{answer.complain({ExitCode::UnreadableReport, files.error().message, operand})};
    std::vector<SideReport> reports;
    for (const std::string& file : files.value())
        reports.push_back({reader.read(file), file});
    return reports;
}

/// Why no NVTX range of `trace` is named `glob`, in which # is a number as in the names of steps; empty: some
/// are.
std::string noSuchSteps(const Trace& trace, std::string glob)
{
    std::ranges::replace(glob, '#', '*');
    return glob.empty() ? std::string() : noSuchRange(trace, glob);
}

/// A side: one or several recordings, and the part to compare.
SideRequest sideOf(Answer& answer, const std::vector<std::string>& operands, const SideOptions& options,
    const std::string& nvtx, Reader& reader)
{
    SideRequest side;
    for (const std::string& operand : operands) {
        std::vector<SideReport> reports = readRecording(answer, operand, reader);
        const std::shared_ptr<const Trace>& first = reports.front().trace;
        const bool again = !side.reports.empty()
            && (isSameReport(*side.reports.front().trace, *first)
                || std::ranges::any_of(side.repeats,
                    [&](const auto& each) { return isSameReport(*each.front().trace, *first); }));
        if (again)
            answer.refuse({"compare.twice", "{operand} is given twice: name each recording once",
                {{"operand", Name{operand}}}});
        if (side.reports.empty())
            side.reports = std::move(reports);
        else
            side.repeats.push_back(std::move(reports));
    }
    const Trace& trace = *side.reports.front().trace;
    side.steps = answer.usable(spanOf(options.steps));
    side.stepGlob = options.nvtx.empty() ? nvtx : options.nvtx;
    if (const std::string missing = noSuchSteps(trace, options.nvtx); !missing.empty())
        answer.refuse(missing);
    if (!options.range.empty())
        side.range = analyzedRange(answer, trace, answer.usable(parseRange(options.range)));
    return side;
}

/// The noise of the median, in percent of A's.
double noisePercent(const Comparison& comparison)
{
    return 100 * shareOf(comparison.noise, comparison.sides.a.median);
}

/// Whether a regression by `percent` could pass unseen, since no difference was.
bool isBelowNoise(const Comparison& comparison, double percent)
{
    return comparison.verdict == CompareVerdict::NoDifference && noisePercent(comparison) > percent;
}

/// The file of a report of `request` that lacks work, see lacksWork(); empty: none does.
std::string incompleteOf(const CompareRequest& request)
{
    for (const SideRequest* const side : {&request.a, &request.b}) {
        std::vector<std::vector<SideReport>> runs = side->repeats;
        runs.insert(runs.begin(), side->reports);
        for (const SideReport& report : runs | std::views::join) {
            if (lacksWork(*report.trace))
                return report.file;
        }
    }
    return {};
}

/// Why a gate over `comparison`, which has a verdict, has none; without a message: it has one.
Complaint gateProblem(const CompareRequest& request, const Comparison& comparison, bool isRegression)
{
    if (comparison.has(CompareCaveat::SameRecording)) // which passes whatever the change did
        return {ExitCode::NoVerdict,
            Message("compare.gate_of_one",
                "Both sides are of one recording: --fail-on-regression has nothing to compare")};
    const std::string file = incompleteOf(request);
    return isRegression || file.empty() ? Complaint() : gateOfIncomplete(file, "--fail-on-regression");
}

/// The exit code for `comparison`, whose text gives people the reason, with the problem of a gate over it.
ExitCode outcomeOf(Answer& answer, const Comparison& comparison, const Complaint& gate, bool isRegression)
{
    const auto because = [](const std::vector<Message>& reasons) {
        Message text;
        for (const Message& reason : reasons)
            text += reason;
        return plain(text);
    };
    if (!comparison.comparable)
        return answer.mention({ExitCode::NotComparable, because(comparison.reasons)});
    if (comparison.verdict == CompareVerdict::Unknown)
        return answer.mention(
            {ExitCode::NoVerdict, plain(comparison.sentence), {}, because(comparison.hints)});
    if (!gate.message.empty())
        return answer.complain(gate);
    return isRegression ? ExitCode::GateFailed : ExitCode::Ok;
}

ExitCode compared(
    Answer& answer, const CompareOptions& options, const Asked& asked, const CompareRequest& request)
{
    Comparison comparison = compareRuns(request);
    if (asked.has("findings"))
        compareFindings(request, comparison);
    std::vector<ComparedStats> stats;
    for (const auto& [table, variant] : asked.tables)
        stats.push_back({std::string(table->id) + (variant.empty() ? "" : ":" + variant),
            plain(table->titleText()), compareStatsTable(request, *table, variant)});
    CompareText text{comparison, asked.sections, stats, options.rows, {}, answer.width()};
    Complaint gate;
    if (options.failOn && comparison.comparable && comparison.verdict != CompareVerdict::Unknown) {
        const bool isRegression = comparison.isRegression(*options.failOn);
        gate = gateProblem(request, comparison, isRegression);
        if (gate.message.empty())
            text.regression = isRegression;
    }
    if (text.regression == false && options.failOn && isBelowNoise(comparison, *options.failOn))
        answer.note(Message("compare.below_noise",
            "--fail-on-regression {percent} is below the noise of {noise}%. Record each side several times and pass the recordings with --a and --b, or lower --run-noise if clocks are locked",
            {{"percent", Name{fmt::format("{}", *options.failOn)}},
                {"noise", Number{noisePercent(comparison), 1}}}));
    const ExitCode done = answer.isJson() ? answer.add(compareJson(text))
        : answer.format() == "markdown"   ? answer.addText(compareMarkdown(text))
        : answer.format() == "html"       ? answer.addText(compareHtml(text))
                                          : answer.addText(compareTable(text));
    return done != ExitCode::Ok ? done : outcomeOf(answer, comparison, gate, text.regression.value_or(false));
}

/// Ends the command where the reports that were named are not two sides.
void checkSides(Answer& answer, const CompareOptions& options)
{
    const auto& [a, b] = options.sides;
    const bool narrowed = std::ranges::any_of(std::array{&a, &b},
        [](const SideOptions* side) { return !side->range.empty() || !side->steps.empty(); });
    if (a.recordings.empty() != b.recordings.empty())
        answer.refuse({"compare.needs_both", "--a needs --b, and --b needs --a"});
    if (!a.recordings.empty() && !options.files.empty())
        answer.refuse({"compare.sides_twice", "name the sides by --a and --b, or by two FILEs"});
    if (a.recordings.empty() && options.files.empty())
        answer.refuse({"compare.needs_two",
            "two reports are needed: A, the run before a change, and B, the one after it"});
    if (options.files.size() > 2)
        answer.refuse({"compare.two_sides",
            "compare takes two sides: write the ranks of one side as A0,A1,A2, and several recordings of a side as --a A1 A2 --b B1 B2"});
    if (options.files.size() == 1 && !narrowed)
        answer.refuse({"compare.with_itself",
            "to compare a report with itself, name two ranges or steps: --a-range, --b-range, --a-steps, --b-steps"});
}

ExitCode runCompare(Answer& answer, const CLI::App& app, const CompareOptions& options)
{
    if (app.count("--rows") > 0 && answer.isJson())
        answer.refuse({"compare.rows_for_tables", "--rows is for tables: json has all rows"});
    const Asked asked = answer.usable(askedFor(options.reports));
    checkSides(answer, options);
    Reader reader(answer, options.noCache);
    CompareRequest request;
    request.runNoise = options.runNoise / 100;
    for (const Side side : {Side::A, Side::B}) {
        const std::vector<std::string>& named = options.sides[side].recordings;
        const std::vector<std::string> operands = !named.empty()
            ? named
            : std::vector{side == Side::A ? options.files.front() : options.files.back()};
        (side == Side::A ? request.a : request.b)
            = sideOf(answer, operands, options.sides[side], options.nvtx, reader);
    }
    const std::string missing = noSuchSteps(*request.a.reports.front().trace, options.nvtx);
    if (!missing.empty() && !noSuchSteps(*request.b.reports.front().trace, options.nvtx).empty())
        return answer.wrongUsage(missing);
    return compared(answer, options, asked, request);
}

void addSideOptions(CLI::App& app, SideOptions& options, const std::string& side)
{
    const std::string name(1, static_cast<char>(side[0] + 32));
    addOption(app, "--" + name, options.recordings,
        {"compare.help_recordings",
            "Recordings of {side}, one or more of the same program. Their spread is the noise",
            {{"side", Name{side}}}},
        "FILE")
        ->expected(1, -1);
    addOption(app, "--" + name + "-range", options.range,
        {"compare.help_side_range",
            "Only this range of {side}: FROM:TO in ns, or numbers with ns, us, ms or s",
            {{"side", Name{side}}}},
        "FROM:TO");
    addOption(app, "--" + name + "-steps", options.steps,
        {"compare.help_side_steps",
            "Only these steps of {side}, counted from 0: N, or FROM:TO without TO itself",
            {{"side", Name{side}}}},
        "N|FROM:TO");
    addOption(app, "--" + name + "-nvtx", options.nvtx,
        {"compare.help_side_nvtx", "Name of the NVTX ranges that are the steps of {side}",
            {{"side", Name{side}}}},
        "NAME");
}

std::function<ExitCode(Answer&)> declareCompare(CLI::App& app)
{
    auto options = std::make_shared<CompareOptions>();
    addSideOptions(app, options->sides.a, "A");
    addSideOptions(app, options->sides.b, "B");
    addOption(app, "--nvtx", options->nvtx,
        {"compare.help_nvtx",
            "Name of the NVTX ranges that are steps on both sides, with * and ?; default: detected"},
        "NAME");
    addOption(app, "--report", options->reports,
        {"compare.help_report",
            "Only these parts, separated by commas: budget, kernels, operators, nvtx, api, copies, collectives, memory, steps, findings, or a summary table of stats"},
        "NAMES")
        ->multi_option_policy(CLI::MultiOptionPolicy::Join);
    addOption(app, "--rows", options->rows, {"compare.help_rows", "Maximum rows per table; json has all"})
        ->check(inRange(0, 1'000'000'000))
        ->capture_default_str();
    addOption(app, "--fail-on-regression", options->failOn,
        {"compare.help_fail_on",
            "Exit with 1 if the step of B, by the value that decides the verdict, is slower by more than the noise and this percentage"},
        "PCT")
        ->check(finiteProblem)
        ->check(inRange(0.0, 1e6));
    addOption(app, "--run-noise", options->runNoise,
        {"compare.help_run_noise",
            "Assumed difference between two recordings of one program, used where a side has only one; 0 with locked clocks"},
        "PCT")
        ->check(finiteProblem)
        ->check(inRange(0.0, 100.0))
        ->capture_default_str();
    addCacheOption(app, options->noCache);
    addMachineOption(app);
    addOption(app, "FILE", options->files,
        {"compare.help_files",
            "A and B: each a report, or the ranks of one run as a comma-separated list, a folder, a pattern or a saved set. A single FILE is compared with itself"});
    return [options, &app](Answer& answer) { return runCompare(answer, app, *options); };
}

} // namespace

extern constinit const Command compareCommand{.name = "compare",
    .summary = "Compare two runs: did the change help, by how much, and where",
    .formats = "table json markdown html",
    .declare = declareCompare};

} // namespace warpline::cli
