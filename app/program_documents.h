#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// An option as --help shows it.
struct DocumentedOption {
    std::vector<std::string> names; ///< with their dashes, as they are typed
    std::string value; ///< its value: "FROM:TO"; empty: none
    std::vector<std::string> choices; ///< all that the value can be; empty: anything
    bool severalChoices = false; ///< the value is a list of choices, with commas between
    bool takesFile = false; ///< the value is the name of a file or folder
    std::string description;
};

/// An operand after the options of a command.
struct DocumentedOperand {
    std::string name; ///< as --help shows it: "FILE"
    bool isRequired = false;
    bool isSeveral = false; ///< any number of them
    bool isReport = false; ///< the name of a file that can be opened
    bool isFile = false; ///< the name of any file
};

struct DocumentedCommand {
    std::string name;
    std::string summary;
    std::vector<DocumentedOption> options;
    std::vector<DocumentedOperand> operands;
};

/// An exit code, a variable, a file or an example, with its meaning.
struct DocumentedTerm {
    std::string name;
    std::string meaning;
};

/// A program described by its own lists: source of man pages and completions.
struct DocumentedProgram {
    std::string name;
    std::string version;
    std::string summary; ///< one sentence
    std::vector<DocumentedOption> options;
    std::vector<DocumentedCommand> commands; ///< empty: the program has operands itself
    std::vector<DocumentedOperand> operands; ///< of the program without a command
    std::vector<std::string> helpTopics; ///< that "help" takes next to commands; empty: there is no "help"
    std::vector<DocumentedTerm> exitCodes;
    std::vector<DocumentedTerm> variables; ///< of the environment
    std::vector<DocumentedTerm> files;
    std::vector<std::string> notes; ///< paragraphs
    std::vector<DocumentedTerm> examples; ///< command lines
    std::string seeAlso; ///< the other program
};

/// The page that `man` shows, in roff's man macros.
std::string manualPage(const DocumentedProgram& program);

/// The shells that completionFor() knows: "bash", "zsh", "fish".
const std::vector<std::string>& completionShells();
/// The endings of files that can be opened, without the dot: "sqlite", "json.gz"; see openablePatterns().
std::vector<std::string> reportEndings();
/// The completion script of `shell` for the program's commands, options, their values and reports. Nothing
/// for an unknown shell.
std::optional<std::string> completionFor(std::string_view shell, const DocumentedProgram& program);

} // namespace warpline
