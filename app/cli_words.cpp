// warpline-cli words: what the words of findings, tables and rows mean.

#include "app/cli_command.h"
#include "app/cli_report.h"
#include "core/base/words.h"
#include "core/glossary/glossary.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>

namespace warpline::cli {

namespace {

std::string lineOf(const GlossaryEntry& entry)
{
    return fmt::format("{}: {}\n", entry.term, entry.text);
}

/// The term itself; else all that have `asked` in their names or texts.
std::string linesFor(const std::string& asked)
{
    if (const GlossaryEntry* const entry = findTerm(asked))
        return lineOf(*entry);
    std::string lower = asked;
    for (char& c : lower)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    std::string lines;
    for (const GlossaryEntry& entry : glossary()) {
        if (containsWord(entry.term, lower) || containsWord(entry.forms, lower)
            || containsWord(entry.text, lower))
            lines += lineOf(entry);
    }
    return lines;
}

std::function<ExitCode()> declareWords(CLI::App& app)
{
    auto term = std::make_shared<std::string>();
    app.add_option("TERM", *term, "Only this term, or those that have it in their text");
    return [term] {
        std::string lines = linesFor(*term);
        if (lines.empty())
            return wrongUsage("words", "there is no term '" + *term + "'; 'warpline-cli words' lists all");
        return print(lines);
    };
}

} // namespace

extern constinit const Command wordsCommand{
    .name = "words", .summary = "What the words of findings, tables and rows mean", .declare = declareWords};

} // namespace warpline::cli
