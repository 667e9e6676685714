#pragma once

#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_output.h"
#include "core/base/message.h"
#include "core/export/analysis_format.h"
#include "core/export/envelope.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline::cli {

/// An error; with the code Ok a note.
struct Complaint {
    ExitCode code = ExitCode::Ok;
    Message message;
    std::string file = {}; ///< empty: it is about none
    Message hint = {}; ///< what to do, as a sentence
    bool hasLines = false; ///< the message shows a place in a text, or lists names: its lines stay
};

/// Thrown to end a command, or its work on one of several reports, with `code` after a complaint.
struct Ended {
    ExitCode code;
};

/// The result of `work`, or the code that it ended with.
template <typename Work> ExitCode codeOf(Work work)
{
    try {
        return work();
    } catch (const Ended& ended) {
        return ended.code;
    }
}

/// "Try 'warpline-cli analyze --help'."
Message helpHint(const std::string& commandLine);

/// The user's output options. Formats of analyses (see AnalysisFormat) are made from the entries of add().
struct AnswerOptions {
    std::string format;
    std::string output; ///< a file; empty or "-": standard output
    bool force = false; ///< replaces the file where it exists
};

/// Output of a command: reports and tables go to standard output or the file of --output, complaints to
/// standard error and, for JSON, also to its `errors`. JSON has its envelope, see EnvelopeWriter: a command
/// only adds an entry per report. Writing functions return Ok or WriteFailed.
class Answer {
public:
    /// `inputs`: files that are read, which the output must not replace.
    Answer(std::string_view command, AnswerOptions options, std::vector<std::string> inputs = {});

    const std::string& format() const { return m_options.format; }
    /// Whether to call add() and no other writing function: json, ndjson, or a format made from their
    /// entries.
    bool isJson() const;
    /// Columns of the output's terminal; 0: it is not a terminal, and no line is cut.
    std::size_t width() const;

    /// An entry of `reports`.
    ExitCode add(const Json& report);
    /// The same with another key `rows`, whose array `write` writes.
    ExitCode add(const Json& report, const EnvelopeWriter::WriteRows& write);
    /// Text for people, with control characters written out (see shownText()).
    ExitCode addText(std::string_view text);
    /// The same for `file`, under a line with its path when there are several reports.
    ExitCode addText(const std::string& file, std::string_view text);
    /// Verbatim output in pieces: CSV, whose fields keep their bytes, and large tables.
    ExitCode addPieces(const std::function<void(const TextSink&)>& write);
    ExitCode addBytes(std::string_view bytes);
    void expectReports(std::size_t count) { m_several = count > 1; }

    /// Reports it, and returns its code.
    ExitCode complain(Complaint complaint);
    /// The same for JSON only, where other formats contain the message.
    ExitCode mention(Complaint complaint);
    /// Complains about wrong usage.
    ExitCode wrongUsage(Message message);
    /// The value of `asked`. An Error ends the command as wrong usage of `option`, which may be empty.
    template <typename T> T usable(Result<T> asked, const std::string& option = {})
    {
        if (!asked.ok())
            refuse(option.empty() ? asked.error().message : ofOption(option, asked.error().message));
        if constexpr (!std::is_void_v<T>)
            return asked.take();
    }
    /// Ends the command as wrong usage.
    [[noreturn]] void refuse(Message problem);
    void note(Message message, std::string file = {});

    /// False: the output file must not be written, and finish() says why. For a check before the work.
    bool mayWrite();
    /// Completes the output: nothing follows, and a file gets its name. Returns `code`, or WriteFailed.
    ExitCode finish(ExitCode code);

    /// A buffered answer for one of several files that are processed in parallel; take() adds it later.
    Answer part() const;
    ExitCode take(Answer part);

private:
    Result<void> open();
    bool write(std::string_view text);
    EnvelopeWriter& envelope();
    ExitCode outcome();
    bool beginFormat();

    std::string m_command;
    AnswerOptions m_options;
    std::vector<std::string> m_inputs;
    std::optional<Output> m_output; ///< from the first piece on
    Result<void> m_written;
    std::optional<EnvelopeWriter> m_envelope;
    std::vector<OutputError> m_errors;
    bool m_several = false;
    const AnalysisFormat* m_format = nullptr; ///< converts the entries; nullptr: JSON
    bool m_begun = false; ///< of m_format
    std::size_t m_added = 0; ///< texts that were not empty
    bool m_isPart = false;
    std::vector<Json> m_kept; ///< of a part
    std::vector<std::pair<std::string, std::string>> m_keptTexts; ///< of a part: file and text
    std::vector<std::string> m_keptLines; ///< of a part: for standard error
};

/// Runs `work` for each of `files` with its index, `jobs` of them in parallel, and outputs the results in
/// order. Returns the highest code.
ExitCode answerForEach(Answer& answer, const std::vector<std::string>& files, std::size_t jobs,
    const std::function<ExitCode(Answer& part, const std::string& file, std::size_t place)>& work);

} // namespace warpline::cli
