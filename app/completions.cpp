// Shell completions. Each shell has its own kind of script, but all offer the same: commands, then the
// command's options, their known values, and reports.

#include "app/program_documents.h"

#include "core/workspace/report_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

namespace warpline {

namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between)
{
    return fmt::format("{}", fmt::join(words, between));
}

/// `text` between single quotes, as bash and zsh read it; fish understands it too, as long as there is no
/// backslash.
std::string inQuotes(std::string_view text)
{
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string functionName(const DocumentedProgram& program)
{
    std::string name = "_" + program.name;
    std::ranges::replace(name, '-', '_');
    return name;
}

/// The program as commands: itself, under no name, when it has none.
std::vector<DocumentedCommand> commandsOf(const DocumentedProgram& program)
{
    std::vector<DocumentedCommand> commands = program.commands;
    commands.push_back({{}, {}, program.options, program.operands});
    return commands;
}

bool takesReports(const DocumentedCommand& command)
{
    return std::ranges::any_of(command.operands, &DocumentedOperand::isReport);
}

std::vector<std::string> namesOf(const std::vector<DocumentedOption>& options)
{
    std::vector<std::string> names;
    for (const DocumentedOption& option : options)
        std::ranges::copy(option.names, std::back_inserter(names));
    return names;
}

std::vector<std::string> commandNames(const DocumentedProgram& program)
{
    std::vector<std::string> names;
    for (const DocumentedCommand& command : program.commands)
        names.push_back(command.name);
    return names;
}

/// What can be the first word: the commands, and help.
std::vector<std::string> firstWords(const DocumentedProgram& program)
{
    std::vector<std::string> words = commandNames(program);
    if (!program.helpTopics.empty())
        words.emplace_back("help");
    return words;
}

/// What can follow help, with blanks between.
std::string helpWords(const DocumentedProgram& program)
{
    std::vector<std::string> words = program.helpTopics;
    std::ranges::copy(commandNames(program), std::back_inserter(words));
    return joined(words, " ");
}

/// The first words that no report follows.
std::vector<std::string> wordsWithoutReports(const DocumentedProgram& program)
{
    std::vector<std::string> words = firstWords(program);
    std::erase_if(words, [&](const std::string& word) {
        return std::ranges::any_of(program.commands,
            [&](const DocumentedCommand& each) { return each.name == word && takesReports(each); });
    });
    return words;
}

/// The line of bash' case that completes the value of `option`.
std::string bashValue(const DocumentedCommand& command, const DocumentedOption& option)
{
    std::vector<std::string> patterns;
    for (const std::string& name : option.names)
        patterns.push_back(fmt::format("{}:{}", command.name, name));
    std::string what = ":"; // nothing can be guessed
    if (!option.choices.empty() && option.severalChoices)
        what = fmt::format(
            "compopt -o nospace; COMPREPLY=($(compgen -P \"$before\" -W {} -- \"${{current##*,}}\"))",
            inQuotes(joined(option.choices, " ")));
    else if (!option.choices.empty())
        what = fmt::format(
            "COMPREPLY=($(compgen -W {} -- \"$current\"))", inQuotes(joined(option.choices, " ")));
    else if (option.takesFile)
        what = "compopt -o filenames; IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$current\"))";
    return fmt::format("    {}) {}; return ;;\n", joined(patterns, " | "), what);
}

std::string bashCompletion(const DocumentedProgram& program)
{
    const std::string function = functionName(program);
    std::string text = fmt::format(R"(# Completion of {0} for bash.
{1}()
{{
    local IFS=$' \n' current=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD - 1]}} command= before= ending i
    COMPREPLY=()
    if [[ $current == = ]]; then
        current=
    elif [[ $option == = ]]; then
        option=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    [[ $current == *,* ]] && before=${{current%,*}},
)",
        program.name, function);
    if (!program.commands.empty())
        text += fmt::format(R"(    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${{COMP_WORDS[i]}} in
        {}) command=${{COMP_WORDS[i]}}; break ;;
        esac
    done
)",
            joined(firstWords(program), " | "));
    text += "    case $command:$option in\n";
    std::string names;
    for (const DocumentedCommand& command : commandsOf(program)) {
        for (const DocumentedOption& option : command.options) {
            if (!option.value.empty())
                text += bashValue(command, option);
        }
        names += fmt::format("        '{}') COMPREPLY=($(compgen -W {} -- \"$current\")) ;;\n", command.name,
            inQuotes(joined(namesOf(command.options), " ")));
    }
    text += fmt::format(R"(    esac
    if [[ $current == -* ]]; then
        case $command in
{}        esac
        return
    fi
)",
        names);
    if (!program.commands.empty())
        text += fmt::format("    [[ -z $command ]] && COMPREPLY=($(compgen -W {} -- \"$current\"))\n",
            inQuotes(joined(firstWords(program), " ")));
    if (!program.helpTopics.empty())
        text += fmt::format("    [[ $command == help ]] && COMPREPLY=($(compgen -W {} -- \"$current\"))\n",
            inQuotes(helpWords(program)));
    if (const auto others = wordsWithoutReports(program); !others.empty())
        text += fmt::format("    case $command in\n    {}) return ;;\n    esac\n", joined(others, " | "));
    text += fmt::format(R"(    compopt -o filenames 2>/dev/null
    IFS=$'\n'
    for ending in {0}; do
        COMPREPLY+=($(compgen -f -X "!*.$ending" -- "$current"))
    done
    COMPREPLY+=($(compgen -d -- "$current"))
}}
complete -F {1} {2}
)",
        joined(reportEndings(), " "), function, program.name);
    return text;
}

/// `text` inside the brackets of zsh's _arguments.
std::string zshText(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\')
            out += '\\';
        out += c;
    }
    return out;
}

std::string zshOption(const DocumentedOption& option)
{
    std::string lines;
    for (const std::string& name : option.names) {
        std::string spec = fmt::format("*{}{}[{}]", name,
            option.value.empty()         ? ""
                : name.starts_with("--") ? "="
                                         : "+",
            zshText(option.description));
        if (!option.choices.empty() && option.severalChoices)
            spec += fmt::format(
                ":{}:_sequence compadd - {}", zshText(option.value), joined(option.choices, " "));
        else if (!option.choices.empty())
            spec += fmt::format(":{}:({})", zshText(option.value), joined(option.choices, " "));
        else if (!option.value.empty())
            spec += fmt::format(":{}:{}", zshText(option.value), option.takesFile ? "_files" : " ");
        lines += fmt::format(" \\\n            {}", inQuotes(spec));
    }
    return lines;
}

std::string zshArguments(const DocumentedCommand& command)
{
    std::string text = "_arguments -s";
    for (const DocumentedOption& option : command.options)
        text += zshOption(option);
    for (const DocumentedOperand& operand : command.operands) {
        const std::string reports = fmt::format("_files -g \"*.({})\"", joined(reportEndings(), "|"));
        text += fmt::format(" \\\n            '{}{}:{}'",
            operand.isSeveral        ? "*:"
                : operand.isRequired ? ":"
                                     : "::",
            operand.name,
            operand.isReport     ? reports
                : operand.isFile ? "_files"
                                 : " ");
    }
    return text + '\n';
}

std::string zshCompletion(const DocumentedProgram& program)
{
    std::string text = fmt::format("#compdef {0}\n# Completion of {0} for zsh.\n", program.name);
    if (program.commands.empty())
        return text + fmt::format("        {}", zshArguments(commandsOf(program).back()));
    text += "local -a commands\ncommands=(\n";
    for (const DocumentedCommand& command : program.commands)
        text += fmt::format(
            "    {}\n", inQuotes(fmt::format("{}:{}", command.name, zshText(command.summary))));
    text += program.helpTopics.empty() ? "" : "    help\n";
    text += ")\nif (( CURRENT > 2 )); then\n    local command=$words[2]\n    (( CURRENT-- ))\n    shift "
            "words\n    case $command in\n";
    for (const DocumentedCommand& command : program.commands)
        text += fmt::format("    {})\n        {}        ;;\n", command.name, zshArguments(command));
    if (!program.helpTopics.empty())
        text += fmt::format("    help)\n        compadd - {}\n        ;;\n", helpWords(program));
    text += "    esac\nelse\n    _describe command commands\n";
    text += fmt::format("    {}", zshArguments({{}, {}, program.options, program.operands}));
    return text + "fi\n";
}

/// `text` as fish reads it between single quotes.
std::string fishQuoted(std::string_view text)
{
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "'";
}

std::string fishOption(const std::string& start, const DocumentedOption& option)
{
    std::string line = start;
    for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty())
        line += option.takesFile ? " -r" : " -x";
    if (!option.choices.empty() && option.severalChoices)
        line += fmt::format(" -a \"(__fish_append , {})\"", joined(option.choices, " "));
    else if (!option.choices.empty())
        line += fmt::format(" -a {}", fishQuoted(joined(option.choices, " ")));
    return line + fmt::format(" -d {}\n", fishQuoted(option.description));
}

std::string fishCompletion(const DocumentedProgram& program)
{
    std::string text = fmt::format("# Completion of {0} for fish.\ncomplete -c {0} -f\n", program.name);
    const auto after = [&](std::string_view condition, const std::vector<std::string>& words) {
        return words.empty() ? fmt::format("complete -c {}", program.name)
                             : fmt::format("complete -c {} -n '{}__fish_seen_subcommand_from {}'",
                                 program.name, condition, joined(words, " "));
    };
    const std::string none = after("not ", firstWords(program));
    for (const DocumentedCommand& command : program.commands)
        text += fmt::format("{} -a {} -d {}\n", none, command.name, fishQuoted(command.summary));
    for (const DocumentedCommand& command : commandsOf(program)) {
        const std::string start = command.name.empty() ? none : after("", {command.name});
        for (const DocumentedOption& option : command.options)
            text += fishOption(start, option);
    }
    if (!program.helpTopics.empty())
        text += fmt::format("{} -a help\n{} -a '{}'\n", none, after("", {"help"}), helpWords(program));
    return text
        + fmt::format("{} -k -a '(__fish_complete_suffix .{})'\n",
            after("not ", wordsWithoutReports(program)), joined(reportEndings(), " ."));
}

} // namespace

std::vector<std::string> reportEndings()
{
    std::istringstream patterns(openablePatterns());
    std::vector<std::string> endings;
    for (std::string pattern; patterns >> pattern;)
        endings.push_back(pattern.substr(2)); // behind "*."
    std::ranges::sort(endings); // several formats may have one ending
    endings.erase(std::unique(endings.begin(), endings.end()), endings.end());
    return endings;
}

const std::vector<std::string>& completionShells()
{
    static const std::vector<std::string> shells{"bash", "zsh", "fish"};
    return shells;
}

std::optional<std::string> completionFor(std::string_view shell, const DocumentedProgram& program)
{
    if (shell == "bash")
        return bashCompletion(program);
    if (shell == "zsh")
        return zshCompletion(program);
    if (shell == "fish")
        return fishCompletion(program);
    return std::nullopt;
}

} // namespace warpline
