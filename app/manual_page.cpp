#include "app/program_documents.h"
#include "core/base/message_names.h"
#include "core/render/render.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

/// `text` with roff's special characters escaped.
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
    page += ".br\n"
        + plain({"man.choices", "{several, select, yes {Names} other {One of}}: {choices}.",
            {{"several", yesOrNo(option.severalChoices)}, {"choices", Name{choices}}}})
        + '\n';
}

/// " [FILE...]", " FILE OUT": the operands after the options.
std::string operandsText(const std::vector<DocumentedOperand>& operands)
{
    std::string text;
    for (const DocumentedOperand& operand : operands)
        text += fmt::format(" {}\\fI{}\\fR{}{}", operand.isRequired ? "" : "[", escaped(operand.name),
            operand.isSeveral ? "..." : "", operand.isRequired ? "" : "]");
    return text;
}

std::string section(const Message& title)
{
    return fmt::format(".SH {}\n", plain(title));
}

/// "The text.": adds a missing full stop.
std::string sentence(const std::string& text)
{
    return escaped(plain({"man.sentence", "{text}.", {{"text", Name{text}}}})) + '\n';
}

void addSynopsis(std::string& page, const DocumentedProgram& program)
{
    const std::string options = plain({"man.any_options", "options"});
    page += section({"man.synopsis", "SYNOPSIS"});
    if (program.commands.empty())
        page += fmt::format(
            "\\fB{}\\fR [\\fI{}\\fR]{}\n", escaped(program.name), options, operandsText(program.operands));
    for (const DocumentedCommand& command : program.commands) {
        page += fmt::format("{}\\fB{} {}\\fR [\\fI{}\\fR]{}\n",
            &command == program.commands.data() ? "" : ".br\n", escaped(program.name), escaped(command.name),
            options, operandsText(command.operands));
    }
}

void addTerms(std::string& page, const Message& title, const std::vector<DocumentedTerm>& terms)
{
    if (!terms.empty())
        page += section(title);
    for (const DocumentedTerm& term : terms)
        page += fmt::format(".TP\n\\fB{}\\fR\n{}", escaped(term.name), sentence(term.meaning));
}

} // namespace

std::string manualPage(const DocumentedProgram& program)
{
    std::string page = fmt::format(".TH {} 1 \"\" \"Warpline {}\" \"{}\"\n", capitals(escaped(program.name)),
        program.version, plain({"man.volume", "User Commands"}));
    page += section({"man.name", "NAME"})
        + fmt::format("{} \\- {}\n", escaped(program.name), escaped(program.summary));
    addSynopsis(page, program);
    if (!program.options.empty())
        page += section({"man.options", "OPTIONS"});
    for (const DocumentedOption& option : program.options)
        addOption(page, option);
    if (!program.commands.empty())
        page += section({"man.commands", "COMMANDS"});
    for (const DocumentedCommand& command : program.commands) {
        page += fmt::format(".SS {}\n{}", escaped(command.name), sentence(command.summary));
        for (const DocumentedOption& option : command.options)
            addOption(page, option);
    }
    addTerms(page, {"man.exit_status", "EXIT STATUS"}, program.exitCodes);
    addTerms(page, {"man.environment", "ENVIRONMENT"}, program.variables);
    addTerms(page, {"man.files", "FILES"}, program.files);
    page += section({"man.notes", "NOTES"});
    for (const std::string& note : program.notes)
        page += fmt::format(".PP\n{}\n", escaped(note));
    addTerms(page, {"man.examples", "EXAMPLES"}, program.examples);
    if (!program.seeAlso.empty())
        page += section({"man.see_also", "SEE ALSO"})
            + fmt::format("\\fB{}\\fR(1)\n", escaped(program.seeAlso));
    return page;
}

} // namespace warpline
