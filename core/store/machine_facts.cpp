#include "core/store/machine_facts.h"

#include "core/base/ascii_case.h"
#include "core/base/path_names.h"
#include "core/base/secrets.h"
#include "core/base/shell_words.h"
#include "core/base/stable_hash.h"
#include "core/base/words.h"
#include "core/store/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace warpline {

namespace {

constexpr std::string_view hostFact = "Host as recorded";
constexpr std::string_view commandFact = "Command as recorded";

/// A replacement for a host name: the same in all reports, without revealing it.
std::string nameInstead(std::string_view host)
{
    if (host.empty() || host == "host" || host == "localhost")
        return std::string(host);
    StableHash hashed;
    hashed.add(host);
    const std::uint64_t hash = hashed.value();
    constexpr std::uint64_t shown = 0xFFFFFF; // too few bits to reveal the name
    return fmt::format("host-{:06x}", (hash ^ (hash >> 32U)) & shown);
}

/// The words of a command, without their quotes.
std::vector<std::string> shellWords(std::string_view command)
{
    std::vector<std::string> parts;
    bool isOpen = false;
    char quote = 0;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
            isOpen = false;
            continue;
        }
        if (!isOpen)
            parts.emplace_back();
        isOpen = true;
        if (c == quote)
            quote = 0;
        else if (quote == 0 && (c == '\'' || c == '"'))
            quote = c;
        else if (quote == 0 && c == '\\' && i + 1 < command.size() && command[i + 1] == '\'')
            parts.back() += command[++i]; // as shellQuoted() writes it
        else
            parts.back() += c;
    }
    return parts;
}

bool isNumber(std::string_view word)
{
    constexpr std::size_t longest = 7; // longer ones may be passwords
    return !word.empty() && word.size() <= longest && word.find_first_of("0123456789") != word.npos
        && std::ranges::all_of(word,
            [](char c) { return std::string_view("0123456789.,-+eExX:").find(c) != std::string_view::npos; });
}

bool isOption(std::string_view word)
{
    // "-psecret" is an option with its value.
    const std::size_t longest = word.starts_with("--") ? 40 : 3;
    return word.size() > 1 && word.size() <= longest && word.front() == '-'
        && std::ranges::all_of(
            word.substr(1), [](char c) { return isIdentifierPart(c) || c == '-' || c == '.'; });
}

std::string shownWord(const std::string& word)
{
    const std::size_t sign = word.find('=');
    if (sign != std::string::npos && isOption(std::string_view(word).substr(0, sign)))
        return isNumber(std::string_view(word).substr(sign + 1))
            ? word
            : word.substr(0, sign + 1) + std::string(hiddenValue);
    if (isNumber(word) || isOption(word))
        return word;
    return word.ends_with(".py") ? commandWord(baseName(word)) : std::string(hiddenValue);
}

/// The program, its script, and of the rest options and numbers: "python3 train.py --batch 32 --data ...".
std::string shownCommand(std::string_view command)
{
    std::string shown;
    std::string last;
    for (const std::string& word : shellWords(command)) {
        const bool isModule = last == "-m" && shown.starts_with("python");
        std::string next = shown.empty() ? commandWord(baseName(word))
            : isModule                   ? commandWord(word)
                                         : shownWord(word);
        if (next != hiddenValue || last != hiddenValue)
            shown += (shown.empty() ? "" : " ") + next;
        last = std::move(next);
    }
    return shown;
}

std::string factOr(const ReportInfo& info, std::string_view fact, const std::string& other)
{
    const std::string_view kept = captureFact(info, fact);
    return kept.empty() ? other : std::string(kept);
}

/// Stores the old value of `shown` under `fact` when it changes.
void hide(ReportInfo& info, std::string_view fact, std::string& shown, std::string instead)
{
    if (instead == shown || !captureFact(info, fact).empty())
        return;
    info.capture.emplace_back(fact, shown);
    shown = std::move(instead);
}

} // namespace

void hideMachine(ReportInfo& info)
{
    hide(info, hostFact, info.hostName, nameInstead(info.hostName));
    hide(info, commandFact, info.commandLine, shownCommand(info.commandLine));
}

std::string hostOf(const ReportInfo& info)
{
    return factOr(info, hostFact, info.hostName);
}

std::string commandOf(const ReportInfo& info)
{
    return factOr(info, commandFact, info.commandLine);
}

Trace withMachine(const Trace& trace)
{
    Trace whole = trace;
    whole.info.hostName = hostOf(trace.info);
    whole.info.commandLine = commandOf(trace.info);
    std::erase_if(whole.info.capture,
        [](const auto& fact) { return fact.first == hostFact || fact.first == commandFact; });
    return whole;
}

bool isOfMachine(std::string_view fact)
{
    constexpr std::array<std::string_view, 11> words{"host", "user", "environment", "command", "argument",
        "working", "folder", "path", "display_name", "email", "login"};
    return std::ranges::any_of(words, [&](std::string_view word) { return containsWord(fact, word); });
}

} // namespace warpline
