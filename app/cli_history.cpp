// warpline-cli history: how the step of one program changed over many recordings, as those of every night.

#include "app/cli_arguments.h"
#include "app/cli_cells.h"
#include "app/cli_command.h"
#include "app/cli_report.h"
#include "app/cli_stop.h"
#include "app/cli_usage.h"
#include "app/report_summaries.h"
#include "app/version_text.h"
#include "core/cache/kept_answers.h"
#include "core/cache/message_archive.h"
#include "core/cache/trace_cache.h"
#include "core/export/history_text.h"
#include "core/kernels/kernel_classes.h"
#include "core/render/render.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <atomic>

namespace warpline::cli {

namespace {

struct HistoryOptions {
    std::vector<std::string> files;
    std::string nvtx;
    std::size_t last = 0;
    std::size_t rows = 20;
    std::optional<double> failOn;
    double runNoise = 100 * assumedRunNoise;
    std::size_t jobs = 1;
    bool noCache = false;
};

void writeStory(ArchiveWriter& archive, const ChangeStory& story)
{
    archive(story.comparable);
    archive(story.verdict);
    writeMessage(archive, story.sentence);
    archive(story.story.size());
    for (const Message& line : story.story)
        writeMessage(archive, line);
}

void readStory(ArchiveReader& archive, ChangeStory& story)
{
    archive(story.comparable);
    archive(story.verdict);
    story.sentence = readMessage(archive);
    std::size_t lines = 0;
    archive(lines);
    for (std::size_t i = 0; i < lines && archive.ok(); ++i)
        story.story.push_back(readMessage(archive));
}

/// Results about reports, from the cache where possible.
class Keeper {
public:
    explicit Keeper(const HistoryOptions& options)
        : m_options(options),
          m_answers(options.noCache ? std::string() : defaultCacheFolder())
    {
    }
    ~Keeper()
    {
        if (m_kept)
            m_answers.clearUnused();
    }

    /// Measures the recording in `file`, or reads the cached measures. `answer` gets a note where it is not
    /// complete.
    Result<Recording> recording(Answer& answer, const std::string& file)
    {
        Result<Recording> recording = measured(file);
        if (recording.ok()) {
            for (const Message& note : recording.value().notes)
                answer.note(note, file);
        }
        return recording;
    }

    /// Compares the recordings of a change, or reads the cached result.
    Result<ChangeStory> story(const std::string& before, const std::string& after)
    {
        ChangeStory story;
        const auto key = keyFor(fmt::format("change of messages {}", m_options.runNoise), {before, after});
        if (key && m_answers.find(*key, [&](ArchiveReader& archive) { readStory(archive, story); }))
            return story;
        std::vector<SideReport> sides;
        for (const std::string& file : {before, after}) {
            const auto trace = tryReport(file, m_options.noCache);
            if (!trace.ok())
                return trace.error();
            sides.push_back({trace.value(), file});
        }
        story = storyOfChange(sides[0], sides[1], m_options.nvtx, m_options.runNoise / 100, commandStop());
        keep(key, [&](ArchiveWriter& archive) { writeStory(archive, story); });
        return story;
    }

private:
    Result<Recording> measured(const std::string& file)
    {
        Recording recording;
        const auto key
            = keyFor("recording with notes of " + file, {file}); // notes name the file as it is given
        if (key && m_answers.find(*key, [&](ArchiveReader& archive) { readRecording(archive, recording); })) {
            recording.file = file;
            return recording;
        }
        const auto trace = tryReport(file, m_options.noCache);
        if (!trace.ok())
            return trace.error();
        recording = recordingOf({trace.value(), file}, m_options.nvtx, commandStop());
        if (!recording.lacksWork)
            keep(key, [&](ArchiveWriter& archive) { writeRecording(archive, recording); });
        return recording;
    }

    std::optional<AnswerKey> keyFor(const std::string& question, std::vector<std::string> files) const
    {
        if (m_options.noCache)
            return {};
        std::error_code ignored; // the result depends on the user's own classes, too
        if (const std::string classes = ownKernelClassesPath();
            !classes.empty() && std::filesystem::exists(classes, ignored))
            files.push_back(classes);
        return answerKey(fmt::format("{} '{}'", question, m_options.nvtx), files, versionText());
    }
    void keep(const std::optional<AnswerKey>& key, const std::function<void(ArchiveWriter&)>& write)
    {
        if (!key)
            return;
        m_answers.keep(*key, write);
        m_kept = true;
    }

    const HistoryOptions& m_options;
    KeptAnswers m_answers;
    std::atomic<bool> m_kept = false;
};

ExitCode readRecordings(
    Answer& answer, const HistoryOptions& options, Keeper& keeper, std::vector<Recording>& recordings)
{
    ExitCode worst = ExitCode::Ok;
    const ReportFiles found = reportsAt(options.files);
    for (const Message& problem : found.problems)
        worst = answer.complain({ExitCode::UnreadableReport, problem});
    std::vector<Recording> read(found.paths.size());
    worst = std::max(worst,
        answerForEach(
            answer, found.paths, options.jobs, [&](Answer& part, const std::string& file, std::size_t place) {
                const auto recording = keeper.recording(part, file);
                if (!recording.ok())
                    return part.complain({ExitCode::UnreadableReport, recording.error().message, file});
                if (recording.value().steps == 0)
                    return part.complain({ExitCode::NothingRecorded,
                        Message("history.no_gpu_work", "{file} has no GPU work.", {{"file", Name{file}}}),
                        file});
                read[place] = recording.value();
                return ExitCode::Ok;
            }));
    std::erase_if(read, [](const Recording& recording) { return recording.steps == 0; });
    for (const StrangeRecording& strange : takeStrangers(read, !options.nvtx.empty()))
        worst = std::max(worst,
            answer.complain({strange.isCopy ? ExitCode::Ok : ExitCode::NotComparable,
                Message("history.left_out", "{file} is left out.", {{"file", Name{strange.file}}})
                    + strange.reason,
                strange.file}));
    recordings = std::move(read);
    return worst;
}

/// The `last` newest recordings; all where it is 0.
void keepNewest(std::vector<Recording>& recordings, std::size_t last)
{
    if (last == 0 || recordings.size() <= last)
        return;
    recordings = historyOf(std::move(recordings)).recordings;
    recordings.erase(recordings.begin(), recordings.end() - static_cast<std::ptrdiff_t>(last));
}

ExitCode addHistory(Answer& answer, const HistoryText& text)
{
    if (answer.isJson())
        return answer.add(historyJson(text));
    if (answer.format() == "csv")
        return addCells(answer, {}, recordingCells(text.history));
    return answer.addText(answer.format() == "markdown" ? historyMarkdown(text)
            : answer.format() == "html"                 ? historyHtml(text)
                                                        : historyTable(text));
}

ExitCode runHistory(Answer& answer, const CLI::App& app, const HistoryOptions& options)
{
    if (app.count("--rows") > 0 && answer.format() != "table" && answer.format() != "markdown")
        answer.refuse({"history.rows_for_tables", "--rows is for tables: {format} has all recordings",
            {{"format", Name{answer.format()}}}});
    std::vector<Recording> recordings;
    Keeper keeper(options);
    const ExitCode worst = readRecordings(answer, options, keeper, recordings);
    if (recordings.empty())
        return worst;
    if (!options.nvtx.empty() && std::ranges::all_of(recordings, &std::string::empty, &Recording::pattern))
        answer.refuse({"history.no_steps", "--nvtx: no recording has steps named '{name}'",
            {{"name", Name{options.nvtx}}}});
    keepNewest(recordings, options.last);
    History history = historyOf(std::move(recordings), options.runNoise / 100);
    for (HistoryChange& change : history.changes) {
        auto story = keeper.story(
            history.recordings[change.compared.a].file, history.recordings[change.compared.b].file);
        if (story.ok())
            change.story = story.take();
        else
            change.storyError = story.error().message;
    }
    HistoryText text{history, options.rows, answer.width(), {}};
    const bool hasVerdict = history.newest.verdict != CompareVerdict::Unknown || !history.changes.empty();
    if (options.failOn && hasVerdict)
        text.regression = history.isRegression(*options.failOn);
    if (text.regression == false && history.newest.verdict == CompareVerdict::NoDifference
        && history.newest.noisePercent() > *options.failOn)
        answer.note(Message("history.below_noise",
            "--fail-on-regression {percent} is below the noise of {noise}%. Record more often, or lower --run-noise if clocks are locked",
            {{"percent", Name{fmt::format("{}", *options.failOn)}},
                {"noise", Number{history.newest.noisePercent(), 1}}}));
    const auto incomplete = std::ranges::find(history.recordings, true, &Recording::lacksWork);
    const bool isOpen = text.regression == false && incomplete != history.recordings.end();
    if (isOpen)
        text.regression.reset();
    const ExitCode done = addHistory(answer, text);
    const ExitCode gate = !options.failOn ? ExitCode::Ok
        : isOpen           ? answer.complain(gateOfIncomplete(incomplete->file, "--fail-on-regression"))
        : !hasVerdict      ? answer.mention({ExitCode::NoVerdict, history.sentence})
        : *text.regression ? ExitCode::GateFailed
                           : ExitCode::Ok;
    return std::max({done, worst, gate});
}

std::function<ExitCode(Answer&)> declareHistory(CLI::App& app)
{
    auto options = std::make_shared<HistoryOptions>();
    addStepsOption(app, "--nvtx", options->nvtx);
    addOption(app, "--last", options->last, {"history.help_last", "Only the newest N recordings"}, "N")
        ->check(positiveNumber());
    addOption(app, "--rows", options->rows,
        {"history.help_rows", "Maximum recordings in tables, newest first; csv, json and html have all"})
        ->check(inRange(0, 1'000'000'000))
        ->capture_default_str();
    addOption(app, "--fail-on-regression", options->failOn,
        {"history.help_fail_on",
            "Exit with 1 if the newest level, or recording, is slower than the one before it by more than the noise and this percentage"},
        "PCT")
        ->check(finiteProblem)
        ->check(inRange(0.0, 1e6));
    addOption(app, "--run-noise", options->runNoise,
        {"history.help_run_noise",
            "Assumed difference between two recordings of one program, used where there are few; 0 with locked clocks"},
        "PCT")
        ->check(finiteProblem)
        ->check(inRange(0.0, 100.0))
        ->capture_default_str();
    addJobsOption(app, options->jobs);
    addFlag(app, "--no-cache", options->noCache,
        {"history.help_no_cache", "Read every report, without the cache"});
    addOption(app, "FILE", options->files,
        {"history.help_files",
            "Recordings of one program: reports, a folder, a saved set, or a pattern such as 'night_*.sqlite'"})
        ->required();
    return [options, &app](Answer& answer) { return runHistory(answer, app, *options); };
}

} // namespace

extern constinit const Command historyCommand{.name = "history",
    .summary = "Follow recordings of one program over time: when the step changed, and what changed",
    .formats = "table csv json markdown html",
    .declare = declareHistory};

} // namespace warpline::cli
