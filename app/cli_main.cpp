// warpline-cli: the same answers as the window, for terminals, scripts and machines without a display. Links
// no Qt.

#include "app/cli_answer.h"
#include "app/cli_arguments.h"
#include "app/cli_command.h"
#include "app/cli_disk_watch.h"
#include "app/cli_documents.h"
#include "app/cli_help.h"
#include "app/cli_output.h"
#include "app/cli_report.h"
#include "app/cli_schemas.h"
#include "app/cli_usage.h"
#include "app/version_text.h"
#include "core/base/job_runner.h"
#include "core/base/list.h"
#include "core/base/near_names.h"
#include "core/base/platform/platform.h"
#include "core/base/stop.h"
#include "core/base/words.h"
#include "core/load/memory_need.h"
#include "core/load/recording.h"
#include "core/render/language.h"
#include "core/render/render.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <span>
#include <utility>

namespace warpline::cli {

// One line a command.
#define WARPLINE_COMMANDS(X) \
    X(infoCommand)           \
    X(rangeCommand)          \
    X(analyzeCommand)        \
    X(statsCommand)          \
    X(stepsCommand)          \
    X(operatorsCommand)      \
    X(whatIfCommand)         \
    X(ranksCommand)          \
    X(compareCommand)        \
    X(historyCommand)        \
    X(nameCommand)           \
    X(samplesCommand)        \
    X(sqlCommand)            \
    X(eventsCommand)         \
    X(exportCommand)         \
    X(cutCommand)            \
    X(reportCommand)         \
    X(wordsCommand)          \
    X(mcpCommand)

WARPLINE_LIST(Command, allCommands, WARPLINE_COMMANDS)

namespace {

std::string usageNote()
{
    return plain(Message("cli.usage_note",
        "'{short}' is short for '{long}' and takes its options (--explain). '{options}' shows the options of a command. Topics: '{codes}', '{environment}', '{formats}', '{files}', '{examples}'.",
        {{"short", Name{"warpline-cli FILE"}}, {"long", Name{"warpline-cli analyze FILE"}},
            {"options", Name{"warpline-cli COMMAND --help"}}, {"codes", Name{"warpline-cli help exit-codes"}},
            {"environment", Name{"help environment"}}, {"formats", Name{"help formats"}},
            {"files", Name{"help files"}}, {"examples", Name{"help examples"}}}));
}

std::vector<std::string> commandNames()
{
    return entryNames(allCommands(), &Command::name);
}

/// The complaint about `word`, which looks like an option but is unknown to `app`; empty: it is an option, or
/// a number.
std::string optionProblem(const CLI::App& app, const std::string& word)
{
    const std::string name = word.substr(0, word.find('='));
    const bool isNumber = word.size() > 1 && word[1] >= '0' && word[1] <= '9';
    const bool isShort = word.size() > 2 && word[1] != '-';
    if (!word.starts_with('-') || word.size() < 2 || isNumber || app.get_option_no_throw(name)
        || (isShort && app.get_option_no_throw(word.substr(0, 2))))
        return {};
    std::error_code ignored;
    if (std::filesystem::exists(platform::pathOf(word), ignored))
        return plain(Message("cli.looks_like_option",
            "'{word}' looks like an option: put -- before a file whose name begins with a dash",
            {{"word", Name{word}}}));
    std::vector<std::string> known;
    for (const CLI::Option* const option : app.get_options()) {
        for (const std::string& each : option->get_lnames())
            known.push_back("--" + each);
    }
    return plain(Message("cli.no_option", "there is no option '{name}'{near}",
        {{"name", Name{name}}, {"near", didYouMean(name, known)}}));
}

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words;
    while (!text.empty())
        words.emplace_back(takeWord(text));
    return words;
}

bool hasJson(const Command& command)
{
    return (' ' + std::string(command.formats) + ' ').find(" json ") != std::string::npos;
}

/// The first option of `command` with an empty value, which a shell produces from an unset variable: it would
/// mean all, or nothing. Empty: there is none.
std::string emptyOption(const CLI::App& command)
{
    for (const CLI::Option* const option : command.get_options()) {
        if (option->nonpositional()
            && std::ranges::find(option->results(), std::string()) != option->results().end())
            return option->get_name();
    }
    return {};
}

/// The first option of `command` whose value is the name of another one, as in "--output --force": a value is
/// missing, and a file "--force" would be written. Empty: there is none.
std::string optionForValue(const CLI::App& command)
{
    for (const CLI::Option* const option : command.get_options()) {
        for (const std::string& value : option->nonpositional() ? option->results() : CLI::results_t()) {
            if (value.starts_with('-') && command.get_option_no_throw(value))
                return plain(Message("cli.value_before", "{option} needs a value before {next}",
                    {{"option", Name{option->get_name()}}, {"next", Name{value}}}));
        }
    }
    return {};
}

/// The complaint about the first of `arguments` that is an unknown option of `app`; empty: there is none.
/// CLI11 would complain about a missing file instead.
std::string unknownOption(const CLI::App& app, std::span<const std::string> arguments)
{
    bool isValue = false; // of the option before
    for (const std::string& word : arguments) {
        if (word == "--")
            break;
        if (std::exchange(isValue, false))
            continue;
        if (std::string problem = optionProblem(app, word); !problem.empty())
            return problem;
        const CLI::Option* const option = word.starts_with('-') ? app.get_option_no_throw(word) : nullptr;
        isValue = option && option->get_items_expected_max() > 0;
    }
    return {};
}

/// True when `word`, in place of a command, looks like a report.
bool looksLikeReport(std::string_view word)
{
    std::error_code ignored;
    return word.ends_with(".sqlite") || isRecording(word)
        || std::filesystem::exists(platform::pathOf(word), ignored);
}

bool isCommand(std::string_view word)
{
    return std::ranges::any_of(allCommands(), [&](const Command* command) { return command->name == word; });
}

/// True where options of analyze stand before the report: "--explain report.sqlite".
bool analyzesByOptions(const std::vector<std::string>& arguments)
{
    constexpr std::array<std::string_view, 5> own{"-h", "--help", "--version", "--completion", "--man"};
    return arguments.front().starts_with('-') && std::ranges::find(own, arguments.front()) == own.end()
        && std::ranges::none_of(arguments, isCommand) && std::ranges::any_of(arguments, looksLikeReport);
}

Error noHelpFor(const std::string& word)
{
    std::vector<std::string> known = commandNames();
    for (const HelpTopic& topic : helpTopics())
        known.emplace_back(topic.name);
    return {"cli.no_help", "There is no help for '{word}'{near}; known: {known}",
        {{"word", Name{word}}, {"near", didYouMean(word, known)}, {"known", Name{commaList(known)}}}};
}

/// The text of "help TOPIC"; empty: help was not requested.
std::string topicAskedFor(const std::vector<std::string>& arguments)
{
    const HelpTopic* const topic
        = arguments.size() == 2 && arguments[0] == "help" ? findHelpTopic(arguments[1]) : nullptr;
    return topic ? topic->text() : std::string();
}

/// The arguments as they are meant: a report without a command means analyze, "help COMMAND" its --help.
/// Error: the first is no command and no report.
Result<std::vector<std::string>> argumentsOf(std::vector<std::string> arguments)
{
    if (!arguments.empty() && arguments.front() == "help") {
        arguments.erase(arguments.begin());
        if (!arguments.empty() && !isCommand(arguments.front()))
            return noHelpFor(arguments.front());
        arguments.emplace_back("--help");
    }
    if (!arguments.empty() && !isCommand(arguments.front())) {
        const bool option = arguments.front().starts_with('-');
        if (option ? analyzesByOptions(arguments) : looksLikeReport(arguments.front()))
            arguments.insert(arguments.begin(), "analyze");
        else if (!option)
            return Error{"cli.no_command", "Unknown command '{word}'{near}; known: {known}",
                {{"word", Name{arguments.front()}}, {"near", didYouMean(arguments.front(), commandNames())},
                    {"known", Name{commaList(commandNames())}}}};
    }
    return arguments;
}

/// A request by --schema, which ends parsing like --help.
struct SchemaAsked {
    std::string_view schema;
};

/// Declares the common options of all commands.
void addCommonOptions(CLI::App& app, const Command& command, AnswerOptions& options)
{
    std::vector<std::string> formats = wordsOf(command.formats);
    if (!formats.empty()) {
        options.format = formats.front();
        if (hasJson(command))
            formats.emplace_back("ndjson");
        addOption(app, "--format", options.format,
            {"cli.format", "Output format, see '{command}'",
                {{"command", Name{"warpline-cli help formats"}}}})
            ->check(oneOf(formats))
            ->capture_default_str();
    }
    if (!command.writesFiles) {
        addOption(app, "-o,--output", options.output,
            {"cli.output", "Output file; default, or -: standard output"}, "FILE");
        addFlag(app, "--force", options.force, {"cli.force", "Replace the file if it exists"});
    }
    if (hasJson(command))
        app.add_flag_callback(
            "--schema", [&command] { throw SchemaAsked{schemaOf(command.name)}; },
            plain(Message("cli.schema", "Print the JSON schema of the output, then exit")));
}

/// Whether values of `option` are names of files to read. Others may look like patterns of files.
bool namesInput(const CLI::Option& option)
{
    const std::string what = option.nonpositional() ? option.get_type_name() : option.get_name(true);
    return (what == "FILE" || what == "CONFIG") && !option.check_lname("output");
}

/// The files that a command line names: the output must not replace them.
std::vector<std::string> inputsOf(const CLI::App& app)
{
    std::vector<std::string> inputs;
    for (const CLI::Option* const option : app.get_options()) {
        if (namesInput(*option))
            inputs.insert(inputs.end(), option->results().begin(), option->results().end());
    }
    return inputs;
}

/// The value of `option` in `arguments`, without validating them: complaints about wrong usage use the
/// requested format and language.
std::string optionIn(std::span<const std::string> arguments, std::string_view option)
{
    for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
        if (arguments[i].starts_with(option) && arguments[i].substr(option.size()).starts_with('='))
            return arguments[i].substr(option.size() + 1);
        if (arguments[i] == option && i + 1 < arguments.size())
            return arguments[i + 1];
    }
    return {};
}

ExitCode wrongArguments(const std::vector<std::string>& arguments, Message message, Message hint)
{
    const bool hasCommand = !arguments.empty() && isCommand(arguments.front());
    Answer answer(
        hasCommand ? arguments.front() : "warpline-cli", {optionIn(arguments, "--format"), {}, false});
    return answer.finish(answer.complain({ExitCode::WrongUsage, std::move(message), {}, std::move(hint)}));
}

/// Removes --language from `arguments`, at any place, and uses that language for all following texts,
/// including --help and complaints. An unknown one stays, and is refused like any invalid value.
const Language& takeLanguage(std::vector<std::string>& arguments)
{
    constexpr std::string_view option = "--language";
    const Language* const wanted = findLanguage(optionIn(arguments, option));
    if (!wanted)
        return languageOfEnvironment();
    const auto at = std::ranges::find_if(arguments,
        [&](const std::string& word) { return word == option || word.starts_with("--language="); });
    arguments.erase(at, at + (*at == option ? 2 : 1));
    return *wanted;
}

void addLanguageOption(CLI::App& app, std::string& key)
{
    addOption(app, "--language", key, {"cli.language", "Language of the texts; default: that of the locale"})
        ->check(oneOf(entryNames(allLanguages(), &Language::key)));
}

using Work = std::function<ExitCode(Answer&)>;

/// The chosen command, with the common options.
struct Chosen {
    const Command* command = nullptr;
    CLI::App* app = nullptr;
    Work work;
    AnswerOptions options;
};

ExitCode answered(const Chosen& chosen)
{
    Answer answer(chosen.command->name, chosen.options, inputsOf(*chosen.app));
    if (chosen.options.force && chosen.options.output.empty())
        return answer.finish(answer.wrongUsage(Message("cli.force_needs_output", "--force needs -o")));
    if (const auto limit = memoryLimit(); !limit.ok())
        return answer.finish(answer.complain({ExitCode::WrongUsage, limit.error().message}));
    if (!answer.mayWrite())
        return answer.finish(ExitCode::WriteFailed);
    try {
        return answer.finish(codeOf([&] { return chosen.work(answer); }));
    } catch (const std::bad_alloc&) {
        return answer.finish(answer.complain(
            {ExitCode::UnreadableReport, Message("cli.no_memory", "not enough memory for this"), {},
                Message("cli.shorter_range", "Use a shorter range.")}));
    } catch (const std::exception& error) {
        return answer.finish(answer.complain({ExitCode::UnreadableReport, error.what()}));
    }
}

} // namespace

ExitCode runCommand(std::vector<std::string> typed)
{
    machineAsked() = false; // a server runs one command after another
    setLanguage(takeLanguage(typed));
    CLI::App app{plain(Message("cli.program", "Analyze Nsight Systems exports and PyTorch profiler traces.")),
        "warpline-cli"};
    labelHelp(app);
    app.allow_windows_style_options(
        false); // a path may begin with a slash on Windows, too; commands inherit this
    app.set_version_flag("--version", "warpline-cli " + versionText(),
        plain(Message("cli.version", "Display program version information and exit")));
    app.require_subcommand(0, 1);
    app.footer(usageNote());
    std::string shell;
    bool manual = false;
    addOption(
        app, "--completion", shell, {"cli.completion", "Print the completion script for this shell"}, "SHELL")
        ->check(oneOf(completionShells()));
    addFlag(app, "--man", manual, {"cli.man", "Print the manual page, for man -l"});
    std::string languageKey;
    addLanguageOption(app, languageKey);
    std::vector<Chosen> commands(allCommands().size());
    const Chosen* chosen = nullptr;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        Chosen& each = commands[i];
        each.command = allCommands()[i];
        each.app = app.add_subcommand(std::string(each.command->name), plain(each.command->summaryText()));
        each.app->get_help_ptr()->group(app.get_help_ptr()->get_group());
        addCommonOptions(*each.app, *each.command, each.options);
        each.work = each.command->declare(*each.app);
        each.app->callback([&chosen, &each] { chosen = &each; });
        addLanguageOption(*each.app, languageKey);
    }
    if (const std::string topic = topicAskedFor(typed); !topic.empty())
        return printFitted(topic);
    auto understood = argumentsOf(typed);
    if (!understood.ok())
        return wrongArguments({}, understood.error().message, helpHint("warpline-cli"));
    const std::vector<std::string> arguments = understood.take();
    const bool hasCommand = !arguments.empty() && isCommand(arguments.front());
    const Message help = helpHint(hasCommand ? "warpline-cli " + arguments.front() : "warpline-cli");
    try {
        refuseEmptyValues(arguments);
        app.parse(
            std::vector<std::string>(arguments.rbegin(), arguments.rend())); // CLI11 takes the last first
    } catch (const CLI::CallForHelp&) {
        return printFitted(app.help());
    } catch (const CLI::CallForVersion& version) {
        return print(std::string(version.what()) + "\n");
    } catch (const SchemaAsked& asked) {
        return print(asked.schema);
    } catch (const CLI::ParseError& error) {
        const CLI::App& called = hasCommand ? *app.get_subcommand(arguments.front()) : app;
        const std::string unknown = unknownOption(called, std::span(arguments).subspan(hasCommand ? 1 : 0));
        return wrongArguments(
            arguments, unknown.empty() ? Message(parseProblem(called, error)) : unknown, help);
    }
    if (const std::string empty = chosen ? emptyOption(*chosen->app) : std::string(); !empty.empty())
        return wrongArguments(arguments, emptyValueText(empty), help);
    if (const std::string problem = chosen ? optionForValue(*chosen->app) : std::string(); !problem.empty())
        return wrongArguments(arguments, problem, help);
    if (!shell.empty() || manual) {
        DocumentedProgram program = documented(app, {usageNote()});
        program.exitCodes = exitStatus();
        program.variables = environmentVariables();
        program.files = files();
        program.examples = examples();
        return print(manual ? manualPage(program) : *completionFor(shell, program));
    }
    if (!chosen)
        return wrongArguments({},
            Message("cli.no_command_given", "A command is needed: {known}",
                {{"known", Name{commaList(commandNames())}}}),
            helpHint("warpline-cli"));
    return answered(*chosen);
}

ExitCode runGuarded(std::vector<std::string> typed)
{
    try {
        return runCommand(std::move(typed));
    } catch (const Stopped&) {
        complain(plain(Message("mcp.was_cancelled", "the request was cancelled")));
    } catch (const std::bad_alloc&) {
        complain(plain(Message("cli.no_memory_left", "not enough memory for this: use a shorter range")));
    } catch (const std::exception& error) {
        complain(error.what());
    }
    return ExitCode::UnreadableReport;
}

} // namespace warpline::cli

int main(int argc, char** argv)
{
    warpline::platform::prepareOutput(); // a reader that closes the pipe is not an error, see Output
    const warpline::cli::DiskWatch watch;
    const int code = static_cast<int>(warpline::cli::runGuarded(warpline::platform::commandLine(argc, argv)));
    if (!warpline::JobPool::endAll(std::chrono::milliseconds(100))) { // the cache is on a disk that hangs
        std::fflush(nullptr);
        warpline::platform::endNow(code);
    }
    return code;
}
