#pragma once

#include "app/cli_command.h"
#include "core/base/pending_file.h"
#include "core/base/result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpline::cli {

/// Where results go: standard output or a file. What was written is complete, or there is an Error: a full
/// disk and a failing close are reported. A reader that goes away (EPIPE) has read what it wanted, as `head`
/// has: what follows is dropped without a word, and the program ends as it would have. Nothing is kept in a
/// buffer between writes.
class Output {
public:
    /// Standard output.
    Output();
    /// A new file, which has its name from close() on. Error: there is one, unless `replaces`, and it
    /// is none of `reports`. A device or a pipe is written to as it is.
    static Result<Output> create(
        const std::string& path, bool replaces = true, std::span<const std::string> reports = {});
    /// An Error where the file at `path` is one of `reports`, under whatever name: those are read, and stay.
    static Result<void> mayReplace(const std::string& path, std::span<const std::string> reports);
    Output(Output&& other) noexcept;
    Output& operator=(Output&&) = delete;
    ~Output();

    /// Writes all of `text`. The Error says where and why not.
    Result<void> write(std::string_view text);
    /// Closes a file and gives it its name; some file systems say only then that it has no room. A file that
    /// is not closed does not stay.
    Result<void> close();

private:
    Output(int descriptor, std::string name, std::optional<PendingFile> file = {});
    Error cannotWrite() const;

    std::optional<PendingFile> m_file;
    bool m_readerGone = false;
    int m_descriptor;
    std::string m_name;
};

/// Writes `text` to standard output, with control characters written out (see shownText()).
ExitCode print(std::string_view text);
/// One line on standard error, with the program's name before it. Newlines in `message` become spaces, and
/// control characters are written out.
void complain(std::string_view message);
/// The same with its newlines: for a message that shows a place in a text.
void complainInFull(std::string_view message);

} // namespace warpline::cli
