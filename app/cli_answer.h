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

/// What went wrong; of the code Ok: what is to be known.
struct Complaint {
    ExitCode code = ExitCode::Ok;
    Message message;
    std::string file = {}; ///< empty: it is about none
    Message hint = {}; ///< what to do, a sentence
    bool hasLines = false; ///< the message shows a place in a text, or lists names: its lines stay
};

/// Thrown where a command cannot go on, once it has complained: it ends with `code`, or what it does for one
/// of several reports does.
struct Ended {
    ExitCode code;
};

/// What `work` returns, or the code it ended with.
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

/// How the user wants an answer. Formats of analyses (see AnalysisFormat) are written from what add() is
/// given.
struct AnswerOptions {
    std::string format;
    std::string output; ///< a file; empty or "-": standard output
    bool force = false; ///< replaces the file where it exists
};

/// All that a command says: reports and tables on standard output or in the file of --output, complaints on
/// standard error and, where the answer is JSON, among its `errors`. JSON has its envelope, see
/// EnvelopeWriter: a command adds what it has to say of each report, and no more. What is written returns Ok
/// or WriteFailed.
class Answer {
public:
    /// `inputs`: files that are read, which the output must not replace.
    Answer(std::string_view command, AnswerOptions options, std::vector<std::string> inputs = {});

    const std::string& format() const { return m_options.format; }
    /// add() is to be called, and nothing else of what writes: json, ndjson, or a format made from what they
    /// have.
    bool isJson() const;
    /// Columns of the terminal that the answer goes to; 0: it goes elsewhere, and no line is cut.
    std::size_t width() const;

    /// An entry of `reports`.
    ExitCode add(const Json& report);
    /// The same with a key `rows` more, whose array `write` writes.
    ExitCode add(const Json& report, const EnvelopeWriter::WriteRows& write);
    /// Text for people, with control characters written out (see shownText()).
    ExitCode addText(std::string_view text);
    /// The same about `file`, under a line with its path where the answer is about several.
    ExitCode addText(const std::string& file, std::string_view text);
    /// What goes out as it is, in pieces: CSV, whose fields keep their bytes, and large tables.
    ExitCode addPieces(const std::function<void(const TextSink&)>& write);
    ExitCode addBytes(std::string_view bytes);
    void expectReports(std::size_t count) { m_several = count > 1; }

    /// Tells it, and returns its code.
    ExitCode complain(Complaint complaint);
    /// The same for JSON alone, where the answer in other formats says so itself.
    ExitCode mention(Complaint complaint);
    /// Complains about how the command was called.
    ExitCode wrongUsage(Message message);
    /// What was asked for. Where that is an Error the command was called wrongly, and ends; `option` gave
    /// it, unless it is empty.
    template <typename T> T usable(Result<T> asked, const std::string& option = {})
    {
        if (!asked.ok())
            refuse(option.empty() ? asked.error().message : ofOption(option, asked.error().message));
        if constexpr (!std::is_void_v<T>)
            return asked.take();
    }
    /// The command was called wrongly, and ends.
    [[noreturn]] void refuse(Message problem);
    void note(Message message, std::string file = {});

    /// Ends the answer: it is complete, and a file has its name. Returns `code`, or WriteFailed.
    ExitCode finish(ExitCode code);

    /// An answer that is kept until `this` takes it: about one of several files that are read at a time.
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
    const AnalysisFormat* m_format = nullptr; ///< what the entries are made into instead of JSON
    bool m_begun = false; ///< of m_format
    std::size_t m_added = 0; ///< texts that were not empty
    bool m_isPart = false;
    std::vector<Json> m_kept; ///< of a part
    std::vector<std::pair<std::string, std::string>> m_keptTexts; ///< of a part: file and text
    std::vector<std::string> m_keptLines; ///< of a part: for standard error
};

/// What `work` says of each of `files`, whose `place` among them it is told, in their order, with `jobs` of
/// them at a time. Returns the highest code.
ExitCode answerForEach(Answer& answer, const std::vector<std::string>& files, std::size_t jobs,
    const std::function<ExitCode(Answer& part, const std::string& file, std::size_t place)>& work);

} // namespace warpline::cli
