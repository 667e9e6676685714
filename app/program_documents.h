#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// An option as --help shows it.
struct DocumentedOption {
    std::vector<std::string> names; ///< with their dashes, as they are typed
    std::string value; ///< what it takes: "FROM:TO"; empty: nothing
    std::vector<std::string> choices; ///< all that the value can be; empty: anything
    bool severalChoices = false; ///< the value is a list of choices, with commas between
    bool takesFile = false; ///< the value is the name of a file or folder
    std::string description;
};

struct DocumentedCommand {
    std::string name;
    std::string summary;
    std::vector<DocumentedOption> options;
    std::string operands; ///< what may follow the options: "report", "report..." or nothing
};

/// A program as its own lists describe it: what man pages and completions are made from.
struct DocumentedProgram {
    std::string name;
    std::string version;
    std::string summary; ///< one sentence
    std::vector<DocumentedOption> options;
    std::vector<DocumentedCommand> commands; ///< empty: the program takes reports itself
    std::vector<std::string> notes; ///< paragraphs
    std::string seeAlso; ///< the other program
};

/// The page that `man` shows, in roff's man macros.
std::string manualPage(const DocumentedProgram& program);

/// The shells that completionFor() knows: "bash", "zsh", "fish".
const std::vector<std::string>& completionShells();
/// What `shell` reads to complete the program's commands, options, their values and reports. Nothing for a
/// shell that is not known.
std::optional<std::string> completionFor(std::string_view shell, const DocumentedProgram& program);

} // namespace warpline
