#include "app/cli_answer.h"

#include "core/base/message_names.h"
#include "core/base/parallel.h"
#include "core/base/utf8.h"
#include "core/export/wrapped_text.h"
#include "core/render/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

namespace warpline::cli {

namespace {

/// `text`, then `hint` as a sentence of its own.
std::string withHint(const std::string& text, const Message& hint)
{
    if (hint.empty())
        return text;
    const bool isEnded = text.ends_with('.') || text.ends_with('?') || text.ends_with("。");
    return isEnded
        ? fmt::format("{}{}{}", text, language().betweenSentences, plain(hint))
        : plain(Message("cli.with_hint", "{problem}. {hint}", {{"problem", Name{text}}, {"hint", hint}}));
}

constexpr std::array<ExitCodeWords, 10> codeWords{{
    {ExitCode::Ok, "note", "Done"},
    {ExitCode::GateFailed, "gate_failed",
        "A finding reaches --fail-on (analyze, ranks), or --fail-on-regression finds a regression (compare, history)"},
    {ExitCode::WrongUsage, "wrong_usage", "Wrong usage: the message names the mistake and the known values"},
    {ExitCode::UnreadableReport, "unreadable_report", "A report cannot be read"},
    {ExitCode::WriteFailed, "write_failed", "The output cannot be written"},
    {ExitCode::NotComparable, "not_comparable",
        "compare: the runs are not comparable; history: a recording is of another program"},
    {ExitCode::NoVerdict, "no_verdict",
        "compare: no verdict, because each side has one measurement, the pace of the host explains the difference, or only one side has steps; compare and history: a gate over one recording; ranks --fail-on: the verdict is withheld; a gate over an incomplete report"},
    {ExitCode::Incomplete, "incomplete",
        "sql: the output is incomplete, because of --rows or --seconds; the printed rows are correct"},
    {ExitCode::NothingRecorded, "nothing_recorded",
        "--fail-on: the report has no events to check; history: a recording has no GPU work"},
    {ExitCode::NothingJudged, "nothing_judged",
        "ranks: the reports cannot be analyzed together; analyze --fail-on: a report has no data for the rules"},
}};

/// The message followed by its hint; messages that point into a text keep their lines.
std::string lineOf(const Complaint& complaint)
{
    if (complaint.hasLines)
        return plain(linesOf(complaint.message, complaint.hint));
    return withHint(onOneLine(plain(complaint.message)), complaint.hint);
}

/// Errors with one report must not end the others.
ExitCode guarded(const std::function<ExitCode(Answer&, const std::string&, std::size_t)>& work,
    Answer& answer, const std::string& file, std::size_t place)
{
    try {
        return codeOf([&] { return work(answer, file, place); });
    } catch (const std::bad_alloc&) {
        return answer.complain({ExitCode::UnreadableReport,
            Message("cli.no_memory_for", "not enough memory for {file}", {{"file", Name{file}}}), file,
            Message("cli.free_memory", "Use a shorter range, or close other programs.")});
    } catch (const std::exception& error) {
        return answer.complain({ExitCode::UnreadableReport, error.what(), file});
    }
}

} // namespace

Message helpHint(const std::string& commandLine)
{
    return {"cli.try_help", "Try '{command} --help'.", {{"command", Name{commandLine}}}};
}

std::span<const ExitCodeWords> exitCodes()
{
    return codeWords;
}

std::string_view keyOf(ExitCode code)
{
    return codeWords[static_cast<std::size_t>(code)].key;
}

Answer::Answer(std::string_view command, AnswerOptions options, std::vector<std::string> inputs)
    : m_command(command),
      m_options(std::move(options)),
      m_inputs(std::move(inputs))
{
    if (m_options.output == "-")
        m_options.output.clear();
    if (m_command == "analyze")
        m_format = findAnalysisFormat(m_options.format);
}

bool Answer::isJson() const
{
    return m_format || m_options.format == "json" || m_options.format == "ndjson";
}

std::size_t Answer::width() const
{
    return m_options.output.empty() ? columnsOfTerminal() : 0;
}

Result<void> Answer::open()
{
    if (m_output)
        return {};
    if (m_options.output.empty()) {
        m_output.emplace();
        return {};
    }
    auto file = Output::create(m_options.output, m_options.force, m_inputs);
    if (!file.ok())
        return file.error();
    m_output.emplace(file.take());
    return {};
}

bool Answer::mayWrite()
{
    if (!m_options.output.empty())
        m_written = Output::mayWrite(m_options.output, m_options.force, m_inputs);
    return m_written.ok();
}

bool Answer::write(std::string_view text)
{
    if (m_written.ok())
        m_written = open();
    if (m_written.ok())
        m_written = m_output->write(text);
    return m_written.ok();
}

EnvelopeWriter& Answer::envelope()
{
    if (!m_envelope)
        m_envelope.emplace(m_command,
            m_options.format == "ndjson" ? EnvelopeWriter::Form::Lines : EnvelopeWriter::Form::Document,
            [this](std::string_view piece) { return write(shownText(piece)); });
    return *m_envelope;
}

bool Answer::beginFormat()
{
    return std::exchange(m_begun, true) || write(m_format->begin());
}

ExitCode Answer::outcome()
{
    return m_written.ok() ? ExitCode::Ok : ExitCode::WriteFailed;
}

ExitCode Answer::add(const Json& report)
{
    return add(report, {});
}

ExitCode Answer::add(const Json& report, const EnvelopeWriter::WriteRows& write)
{
    if (m_isPart) {
        m_kept.push_back(report);
        return ExitCode::Ok;
    }
    if (m_format) {
        const std::string text = beginFormat() ? m_format->report(report, m_added) : std::string();
        m_added += text.empty() ? 0 : 1;
        this->write(text);
    } else if (write)
        envelope().add(report, write);
    else
        envelope().add(report);
    return outcome();
}

ExitCode Answer::addBytes(std::string_view bytes)
{
    return addPieces([&](const TextSink& sink) { sink(bytes); });
}

ExitCode Answer::addPieces(const std::function<void(const TextSink&)>& write)
{
    write([this](std::string_view piece) { return this->write(piece); });
    return outcome();
}

ExitCode Answer::addText(std::string_view text)
{
    const std::string& as = m_options.format; // others are for programs
    const bool isForTerminal = (as == "table" || as == "text" || as == "brief") && width() > 0;
    const std::string shown = shownText(text);
    return addBytes(isForTerminal ? fittedText(shown, width()) : shown);
}

ExitCode Answer::addText(const std::string& file, std::string_view text)
{
    if (m_isPart) {
        m_keptTexts.emplace_back(file, text);
        return ExitCode::Ok;
    }
    const bool first = m_added++ == 0;
    return m_several ? addText(fmt::format("{}== {} ==\n{}", first ? "" : "\n", onOneLine(file), text))
                     : addText(text);
}

ExitCode Answer::complain(Complaint complaint)
{
    if (m_isPart)
        m_keptLines.push_back(lineOf(complaint));
    else
        complainInFull(lineOf(complaint));
    return mention(std::move(complaint));
}

ExitCode Answer::mention(Complaint complaint)
{
    m_errors.push_back({std::string(keyOf(complaint.code)), std::move(complaint.file),
        plain(complaint.message), plain(complaint.hint)});
    return complaint.code;
}

ExitCode Answer::wrongUsage(Message message)
{
    return complain(
        {ExitCode::WrongUsage, std::move(message), {}, helpHint(fmt::format("warpline-cli {}", m_command))});
}

void Answer::refuse(Message problem)
{
    throw Ended{wrongUsage(std::move(problem))};
}

void Answer::note(Message message, std::string file)
{
    complain({ExitCode::Ok, std::move(message), std::move(file)});
}

ExitCode Answer::finish(ExitCode code)
{
    if (m_format)
        beginFormat() && write(m_format->end(m_errors));
    else if (isJson())
        envelope().finish(m_errors);
    if (m_written.ok() && m_output)
        m_written = m_output->close();
    if (m_written.ok())
        return code;
    cli::complain(plain(m_written.error().message));
    return ExitCode::WriteFailed;
}

Answer Answer::part() const
{
    Answer made(m_command, m_options, m_inputs);
    made.m_isPart = true;
    return made;
}

ExitCode Answer::take(Answer part)
{
    for (const std::string& line : part.m_keptLines)
        complainInFull(line);
    m_errors.insert(m_errors.end(), part.m_errors.begin(), part.m_errors.end());
    ExitCode done = ExitCode::Ok;
    for (const Json& report : part.m_kept)
        done = std::max(done, add(report));
    for (const auto& [file, text] : part.m_keptTexts)
        done = std::max(done, addText(file, text));
    return done;
}

ExitCode answerForEach(Answer& answer, const std::vector<std::string>& files, std::size_t jobs,
    const std::function<ExitCode(Answer& part, const std::string& file, std::size_t place)>& work)
{
    answer.expectReports(files.size());
    ExitCode worst = ExitCode::Ok;
    if (jobs < 2 || files.size() < 2) {
        for (std::size_t i = 0; i < files.size(); ++i)
            worst = std::max(worst, guarded(work, answer, files[i], i));
        return worst;
    }
    struct Done {
        std::optional<Answer> part;
        ExitCode code = ExitCode::Ok;
    };
    struct NoMore {
        std::atomic<std::size_t>& next;
        std::size_t end;
        ~NoMore() { next = end; }
    };
    std::vector<Done> done(files.size());
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::condition_variable oneMore;
    bool hasFailed = false; // not even a complaint could be made
    Helpers workers;
    const NoMore atEnd{next, files.size()}; // before `workers` waits, also for an exception of this thread
    for (std::size_t i = 0; i < std::min(jobs, files.size()); ++i) {
        workers.start([&] {
            try {
                for (std::size_t at = next++; at < files.size(); at = next++) {
                    Answer part = answer.part();
                    const ExitCode code = guarded(work, part, files[at], at);
                    const std::scoped_lock lock(mutex);
                    done[at].part.emplace(std::move(part));
                    done[at].code = code;
                    oneMore.notify_one();
                }
            } catch (...) {
                next = files.size(); // the others read no more
                const std::scoped_lock lock(mutex);
                hasFailed = true;
                oneMore.notify_one();
                throw;
            }
        });
    }
    for (Done& each : done) {
        std::unique_lock lock(mutex);
        oneMore.wait(lock, [&] { return each.part.has_value() || hasFailed; });
        const bool isThere = each.part.has_value(); // another worker may be about to store it
        lock.unlock();
        if (!isThere)
            workers.join(); // throws
        worst = std::max({worst, each.code, answer.take(std::move(*each.part))});
        each.part.reset();
    }
    return worst;
}

} // namespace warpline::cli
