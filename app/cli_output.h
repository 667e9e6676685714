#pragma once

#include "app/cli_command.h"
#include "core/base/pending_file.h"
#include "core/base/result.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpline::cli {

/// The destination of results: standard output or a file. Output is complete, or there is an Error: a full
/// disk and a failing close are reported. A reader that closes the pipe (EPIPE), as `head` does, is fine:
/// further output is dropped silently. Nothing is buffered between writes.
class Output {
public:
    /// Standard output.
    Output();
    /// A new file, which gets its name in close(). Error: mayWrite() has one. Devices and pipes are written
    /// directly.
    static Result<Output> create(
        const std::string& path, bool replaces, std::span<const std::string> reports);
    /// An Error when there is a file, or a link to a missing one, at `path` and not `replaces`, when it is
    /// read-only, a folder, in a folder that takes no new files, or one of `reports`, under any name: input
    /// files are never replaced. Those are names as users give them: also of folders, patterns, sets, and
    /// several with commas, or with a comma in the name. Captures next to a trace are read with it.
    static Result<void> mayWrite(
        const std::string& path, bool replaces, std::span<const std::string> reports);
    Output(Output&& other) noexcept;
    Output& operator=(Output&&) = delete;
    ~Output();

    /// Writes all of `text`. The Error has the place and the reason.
    Result<void> write(std::string_view text);
    /// Closes a file and gives it its name; some file systems report a full disk only here. A file that is
    /// not closed is removed.
    Result<void> close();

private:
    Output(int descriptor, std::string name, std::optional<PendingFile> file = {});
    Error cannotWrite() const;

    std::optional<PendingFile> m_file;
    bool m_readerGone = false;
    bool m_isTerminal = false; ///< which a name in a report is not to control, in any format
    int m_descriptor;
    std::string m_name;
};

/// Writes `text` to standard output, with control characters written out (see shownText()).
ExitCode print(std::string_view text);
/// The same for text that people read: its lines fit the terminal.
ExitCode printFitted(std::string_view text);
/// COLUMNS, or the width of the terminal; 0 where standard output is none.
std::size_t columnsOfTerminal();
/// The name of this program in complaints: "warpline-cli", unless another one sets it.
std::string& complainingProgram();
/// One line on standard error, with the program's name before it. Newlines in `message` become spaces, and
/// control characters are written out.
void complain(std::string_view message);
/// The same with its newlines: for a message that shows a place in a text.
void complainInFull(std::string_view message);

} // namespace warpline::cli
