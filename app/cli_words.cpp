// warpline-cli words: the glossary of findings, tables and rows.

#include "app/cli_words.h"

#include "app/cli_command.h"
#include "app/cli_report.h"
#include "app/cli_usage.h"
#include "core/base/ascii_case.h"
#include "core/base/near_names.h"
#include "core/base/words.h"
#include "core/glossary/glossary.h"
#include "core/render/render.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warpline::cli {

namespace {

/// The term itself; else all terms that contain `asked` in their names or texts.
std::vector<const GlossaryEntry*> entriesFor(const std::string& asked)
{
    if (const GlossaryEntry* const entry = findTerm(asked))
        return {entry};
    const std::string lower = lowered(asked);
    std::vector<const GlossaryEntry*> found;
    for (const GlossaryEntry& entry : glossary()) {
        if (lower.empty() || containsWord(entry.term, lower) || containsWord(entry.forms, lower)
            || containsWord(plain(entry.meaning()), lower))
            found.push_back(&entry);
    }
    return found;
}

Json termsJson(const std::vector<const GlossaryEntry*>& found)
{
    Json terms = Json::array();
    for (const GlossaryEntry* const entry : found)
        terms.push_back({{"term", entry->term}, {"text", plain(entry->meaning())}});
    return {{"terms", std::move(terms)}};
}

std::string termsText(const std::vector<const GlossaryEntry*>& found)
{
    std::string text;
    for (const GlossaryEntry* const entry : found)
        text += fmt::format("{}: {}\n", entry->term, plain(entry->meaning()));
    return text;
}

Message noTerm(const std::string& asked)
{
    return {"words.no_term", "there is no term '{name}'{near}; 'warpline-cli words' lists all",
        {{"name", Name{asked}}, {"near", didYouMean(asked, entryNames(glossary(), &GlossaryEntry::term))}}};
}

std::function<ExitCode(Answer&)> declareWords(CLI::App& app)
{
    auto term = std::make_shared<std::string>();
    addOption(
        app, "TERM", *term, {"words.help_term", "Only this term, or terms that contain it in their text"});
    return [term](Answer& answer) {
        const auto found = entriesFor(*term);
        if (found.empty())
            answer.refuse(noTerm(*term));
        return answer.isJson() ? answer.add(termsJson(found)) : answer.addText(termsText(found));
    };
}

} // namespace

Result<Json> termsFor(const std::string& asked)
{
    const auto found = entriesFor(asked);
    return found.empty() ? Result<Json>(Error{noTerm(asked)}) : Result<Json>(termsJson(found));
}

extern constinit const Command wordsCommand{.name = "words",
    .summary = "Explain terms of findings, tables and rows",
    .formats = "text json",
    .declare = declareWords};

} // namespace warpline::cli
