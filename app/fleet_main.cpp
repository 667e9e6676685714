// warpline-fleet: analyzes the ranks of a run too large for one machine. Every MPI process reads its share of
// the reports, one at a time, and keeps a small summary of each. The summaries are gathered at the first
// process in a tree and analyzed with the code of `warpline-cli ranks`, so that the result does not depend on
// the number of processes.

#include "app/cli_output.h"
#include "app/cli_usage.h"
#include "app/fleet_files.h"
#include "app/report_summaries.h"
#include "app/version_text.h"
#include "core/across/summary_bytes.h"
#include "core/base/platform/platform.h"
#include "core/render/render.h"

#include <CLI/CLI.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

namespace warpline::cli {

namespace {

struct FleetOptions {
    std::vector<std::string> places;
    std::string output;
    std::string format = "json";
    bool force = false;
};

/// This process among all MPI processes.
struct Fleet {
    int rank = 0;
    int size = 1;
};

constexpr int summaryTag = 1;
constexpr std::size_t longestMessage = 1U << 30U; // a count of MPI is an int

void sendBytes(const std::string& bytes, int to)
{
    const std::uint64_t size = bytes.size();
    MPI_Send(&size, 1, MPI_UINT64_T, to, summaryTag, MPI_COMM_WORLD);
    for (std::size_t at = 0; at < bytes.size(); at += longestMessage)
        MPI_Send(bytes.data() + at, static_cast<int>(std::min(longestMessage, bytes.size() - at)), MPI_BYTE,
            to, summaryTag, MPI_COMM_WORLD);
}

/// Appends the bytes from process `from` to `bytes`.
void receiveBytes(std::string& bytes, int from)
{
    std::uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, from, summaryTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::size_t at = bytes.size();
    bytes.resize(at + size);
    for (; at < bytes.size(); at += longestMessage)
        MPI_Recv(bytes.data() + at, static_cast<int>(std::min(longestMessage, bytes.size() - at)), MPI_BYTE,
            from, summaryTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// A number at the end of `bytes`, and one at the front, which is taken off. Between processes of one
/// program.
void putNumber(std::string& bytes, std::uint64_t number)
{
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}
std::uint64_t takeNumber(std::string_view& bytes)
{
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    bytes.remove_prefix(sizeof number);
    return number;
}

/// Gathers all processes' `bytes` at the first along a binomial tree: each takes its children's and sends all
/// to its parent, so that the first waits for log2 of the processes only.
void gatherBytes(const Fleet& fleet, std::string& bytes)
{
    for (int distance = 1; distance < fleet.size; distance *= 2) {
        if (fleet.rank % (2 * distance) != 0) {
            sendBytes(bytes, fleet.rank - distance);
            bytes = {};
            return;
        }
        if (fleet.rank + distance < fleet.size)
            receiveBytes(bytes, fleet.rank + distance);
    }
}

/// The summary of `file`: errors with one report must not end the others.
ReportSummary guardedSummary(const std::string& file)
{
    ReportSummary failed;
    failed.file = file;
    try {
        return summaryOfFile(file, true);
    } catch (const std::bad_alloc&) {
        failed.error
            = plain({"fleet.no_memory", "Not enough memory to read {file}.", {{"file", Name{file}}}});
    } catch (const std::exception& error) {
        failed.error = plain({"fleet.unreadable", "{file} could not be read: {reason}.",
            {{"file", Name{file}}, {"reason", Name{error.what()}}}});
    }
    return failed;
}

/// Brings the first process' `files` to all, and which process reads each: others may find other files, or
/// other sizes.
std::vector<int> shareOut(const Fleet& fleet, std::vector<std::string>& files)
{
    std::vector<int> owners;
    std::string bytes; // of each file: its owner, its length, its name
    if (fleet.rank == 0)
        owners = sharesOf(files, fleet.size);
    for (std::size_t i = 0; i < owners.size(); ++i) {
        putNumber(bytes, static_cast<std::uint64_t>(owners[i]));
        putNumber(bytes, files[i].size());
        bytes += files[i];
    }
    std::uint64_t size = bytes.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    bytes.resize(size);
    MPI_Bcast(bytes.data(), static_cast<int>(size), MPI_BYTE, 0, MPI_COMM_WORLD); // reportsAt() has a limit
    if (fleet.rank == 0)
        return owners;
    for (std::string_view left = bytes; !left.empty();) {
        owners.push_back(static_cast<int>(takeNumber(left)));
        const std::uint64_t length = takeNumber(left);
        files.emplace_back(left.substr(0, length));
        left.remove_prefix(length);
    }
    return owners;
}

/// Reads this process' share and brings all summaries to the first one, in the order of `files`.
std::vector<ReportSummary> gather(
    const Fleet& fleet, const std::vector<std::string>& files, const std::vector<int>& owners)
{
    std::vector<ReportSummary> summaries(fleet.rank == 0 ? files.size() : 0);
    std::string bytes; // of each summary: its place, its size, itself
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (owners[i] != fleet.rank)
            continue;
        ReportSummary summary = guardedSummary(files[i]);
        if (fleet.rank == 0) {
            summaries[i] = std::move(summary);
            continue;
        }
        const std::string written = bytesOf(summary);
        putNumber(bytes, i);
        putNumber(bytes, written.size());
        bytes += written;
    }
    gatherBytes(fleet, bytes);
    for (std::string_view left = bytes; !left.empty();) {
        const std::uint64_t place = takeNumber(left);
        const std::uint64_t size = takeNumber(left);
        auto summary = summaryFrom(left.substr(0, size));
        left.remove_prefix(size);
        summaries[place] = summary.ok() ? summary.take() : ReportSummary();
        if (!summary.ok())
            summaries[place].error = plain(summary.error().message);
        summaries[place].file = files[place];
    }
    return summaries;
}

/// Whether the output would replace one of `inputs`, or a file without --force. One process looks, before
/// hours are spent on reading, as all must go the same way.
bool mustNotReplace(const Fleet& fleet, const FleetOptions& options, const std::vector<std::string>& inputs)
{
    int refused = 0;
    if (fleet.rank == 0 && !options.output.empty() && options.output != "-") {
        const auto may = Output::mayWrite(options.output, options.force, inputs);
        if (!may.ok()) {
            complain(plain(may.error().message));
            refused = 1;
        }
    }
    MPI_Bcast(&refused, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return refused != 0;
}

ExitCode run(const Fleet& fleet, const FleetOptions& options)
{
    RunFiles found;
    if (fleet.rank == 0)
        found = reportsAt(options.places);
    std::vector<std::string>& files = found.paths;
    const std::vector<int> owners = shareOut(fleet, files);
    std::vector<std::string> inputs = options.places; // a saved set, too
    inputs.insert(inputs.end(), files.begin(), files.end());
    if (mustNotReplace(fleet, options, inputs))
        return ExitCode::WriteFailed;
    const std::vector<ReportSummary> summaries = gather(fleet, files, owners);
    if (fleet.rank != 0)
        return files.empty() ? ExitCode::UnreadableReport : ExitCode::Ok;
    Answer answer("ranks", {options.format, options.output, options.force}, std::move(inputs));
    ExitCode worst = files.empty() ? ExitCode::UnreadableReport : ExitCode::Ok;
    for (const Message& problem : found.problems)
        worst = answer.complain({ExitCode::UnreadableReport, problem});
    for (const ReportSummary& summary : summaries) {
        if (!summary.error.empty())
            worst = answer.complain({ExitCode::UnreadableReport, summary.error, summary.file});
    }
    if (std::ranges::none_of(summaries, [](const ReportSummary& each) { return each.error.empty(); }))
        return answer.finish(worst);
    const AcrossReport across = judgeSummaries(summaries, {}, found.choices);
    if (worst == ExitCode::Ok)
        worst = judgedOf(answer, across);
    worst = std::max(worst, addRanks(answer, across));
    return answer.finish(worst);
}

int start(int argc, char** argv, const Fleet& fleet)
{
    setLanguage(languageOfEnvironment());
    CLI::App app{
        plain({"fleet.program",
            "Analyze the ranks of a run. Each MPI process reads its share of the reports:\nmpirun -n 64 warpline-fleet DIR -o fleet.json"}),
        "warpline-fleet"};
    labelHelp(app);
    FleetOptions options;
    app.set_version_flag("--version", "warpline-fleet " + versionText(),
        plain({"cli.version", "Display program version information and exit"}));
    app.add_option("PLACE", options.places,
           plain({"fleet.help_places",
               "Reports, folders, saved sets or patterns of reports, which all processes can read"}))
        ->required();
    app.add_option("-o,--output", options.output,
           plain({"fleet.help_output", "Output file; default: standard output"}))
        ->type_name("FILE");
    app.add_flag("--force", options.force, plain({"cli.force", "Replace the file if it exists"}));
    app.add_option("--format", options.format, plain({"fleet.help_format", "json, markdown, html or table"}))
        ->check(oneOf({"json", "markdown", "html", "table"}))
        ->capture_default_str();
    try {
        refuseEmptyValues(std::vector<std::string>(argv + 1, argv + argc));
        app.parse(argc, argv);
        if (app.count("--output") > 0 && options.output.empty())
            throw CLI::ValidationError(plain(emptyValueText("--output")));
    } catch (const CLI::Success&) {
        if (fleet.rank != 0)
            return 0;
        const bool isVersion = app.count("--version") > 0;
        return static_cast<int>(
            isVersion ? print("warpline-fleet " + versionText() + "\n") : printFitted(app.help()));
    } catch (const CLI::ParseError& error) {
        if (fleet.rank == 0)
            complain(plain({"cli.with_hint", "{problem}. {hint}",
                {{"problem", Name{parseProblem(app, error)}}, {"hint", helpHint("warpline-fleet")}}}));
        return 2;
    }
    return static_cast<int>(run(fleet, options));
}

} // namespace

} // namespace warpline::cli

int main(int argc, char** argv)
{
    using namespace warpline::cli;
    warpline::platform::prepareOutput();
    complainingProgram() = "warpline-fleet";
    MPI_Init(&argc, &argv);
    Fleet fleet;
    MPI_Comm_rank(MPI_COMM_WORLD, &fleet.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &fleet.size);
    int code = 0;
    try {
        code = start(argc, argv, fleet);
    } catch (const std::exception& error) {
        complain(error.what());
        MPI_Abort(MPI_COMM_WORLD, 3); // the others wait for this one
    }
    MPI_Finalize();
    return code;
}
