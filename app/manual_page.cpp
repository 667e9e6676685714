#include "app/program_documents.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

/// `text` with what roff would take for a command of its own made plain.
std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
            out += fmt::format("\\&{}", c);
        else
            out += c;
    }
    return out;
}

std::string capitals(std::string text)
{
    std::ranges::transform(
        text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return text;
}

void addOption(std::string& page, const DocumentedOption& option)
{
    std::string names;
    for (const std::string& name : option.names)
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
    const std::string value = option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", escaped(option.value));
    page += fmt::format(".TP\n{}{}\n{}\n", names, value, escaped(option.description));
    const auto isNamed
        = [&](const std::string& choice) { return option.description.find(choice) != std::string::npos; };
    if (std::ranges::all_of(option.choices, isNamed)) // also where there are none
        return;
    std::string choices;
    for (const std::string& choice : option.choices)
        choices += fmt::format("{}\\fB{}\\fR", choices.empty() ? "" : ", ", escaped(choice));
    page += fmt::format(".br\n{}: {}.\n", option.severalChoices ? "Names" : "One of", choices);
}

/// " [FILE...]", " FILE OUT": what follows the options.
std::string operandsText(const std::vector<DocumentedOperand>& operands)
{
    std::string text;
    for (const DocumentedOperand& operand : operands)
        text += fmt::format(" {}\\fI{}\\fR{}{}", operand.isRequired ? "" : "[", escaped(operand.name),
            operand.isSeveral ? "..." : "", operand.isRequired ? "" : "]");
    return text;
}

void addSynopsis(std::string& page, const DocumentedProgram& program)
{
    page += ".SH SYNOPSIS\n";
    if (program.commands.empty())
        page += fmt::format(
            "\\fB{}\\fR [\\fIoptions\\fR]{}\n", escaped(program.name), operandsText(program.operands));
    for (const DocumentedCommand& command : program.commands) {
        page += fmt::format("{}\\fB{} {}\\fR [\\fIoptions\\fR]{}\n",
            &command == program.commands.data() ? "" : ".br\n", escaped(program.name), escaped(command.name),
            operandsText(command.operands));
    }
}

void addTerms(std::string& page, std::string_view title, const std::vector<DocumentedTerm>& terms)
{
    if (!terms.empty())
        page += fmt::format(".SH {}\n", title);
    for (const DocumentedTerm& term : terms)
        page += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", escaped(term.name), escaped(term.meaning));
}

} // namespace

std::string manualPage(const DocumentedProgram& program)
{
    std::string page = fmt::format(".TH {} 1 \"\" \"Warpline {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
        capitals(escaped(program.name)), program.version, escaped(program.name), escaped(program.summary));
    addSynopsis(page, program);
    if (!program.options.empty())
        page += ".SH OPTIONS\n";
    for (const DocumentedOption& option : program.options)
        addOption(page, option);
    if (!program.commands.empty())
        page += ".SH COMMANDS\n";
    for (const DocumentedCommand& command : program.commands) {
        page += fmt::format(".SS {}\n{}.\n", escaped(command.name), escaped(command.summary));
        for (const DocumentedOption& option : command.options)
            addOption(page, option);
    }
    addTerms(page, "EXIT STATUS", program.exitCodes);
    addTerms(page, "ENVIRONMENT", program.variables);
    addTerms(page, "FILES", program.files);
    page += ".SH NOTES\n";
    for (const std::string& note : program.notes)
        page += fmt::format(".PP\n{}\n", escaped(note));
    addTerms(page, "EXAMPLES", program.examples);
    if (!program.seeAlso.empty())
        page += fmt::format(".SH SEE ALSO\n\\fB{}\\fR(1)\n", escaped(program.seeAlso));
    return page;
}

} // namespace warpline
