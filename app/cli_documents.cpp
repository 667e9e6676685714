#include "app/cli_documents.h"

#include "app/cli_help.h"
#include "core/across/across_rule.h"
#include "core/base/near_names.h"
#include "core/base/version.h"
#include "core/export/compare_text.h"
#include "core/findings/rule.h"
#include "core/query/name_groups.h"
#include "core/replay/apply_cure.h"
#include "core/sql/ready_questions.h"
#include "core/stats/stats_table.h"
#include "core/store/event_kind.h"
#include "core/timetree/time_tree_source.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpline::cli {

std::vector<std::string> ruleNames()
{
    return entryNames(namedRules(), &Rule::id);
}

std::vector<std::string> thresholdNames()
{
    std::vector<std::string> names;
    for (const Rule* const rule : allRules()) {
        for (const Threshold& threshold : rule->thresholds)
            names.push_back(fmt::format("{}.{}", rule->id, threshold.key));
    }
    return names;
}

std::vector<std::string> tableNames()
{
    return entryNames(allStatsTables(), &StatsTable::id);
}

std::vector<std::string> sectionNames()
{
    std::vector<std::string> names(compareSections().begin(), compareSections().end());
    for (const StatsTable* const table : allStatsTables()) {
        if (table->shape == TableShape::Summary)
            names.emplace_back(table->id);
    }
    return names;
}

std::vector<std::string> kindNames()
{
    std::vector<std::string> names;
    for (const EventKind kind : allEventKinds()) {
        if (!isDerived(kind))
            names.emplace_back(keyOf(kind));
    }
    return names;
}

std::vector<std::string> sourceNames()
{
    return entryNames(allTimeTreeSources(), &TimeTreeSource::id);
}

std::vector<std::string> groupingNames()
{
    std::vector<std::string> names = entryNames(allNameGroupings(), &NameGroupingInfo::key);
    names.emplace_back("payload.FIELD");
    return names;
}

namespace {

std::vector<std::string> questionNames()
{
    return entryNames(readyQuestions(), &ReadyQuestion::id);
}

/// The kinds of `name`, as `range` has them.
std::vector<std::string> kindNamesOfRange()
{
    std::vector<std::string> names = kindNames();
    names.emplace_back(kindKeyOf(EventKind::Nvtx, true));
    return names;
}

/// An option whose values are listed elsewhere.
struct ListedOption {
    std::string_view command;
    std::string_view option;
    std::vector<std::string> (*names)();
    bool isSeveral = true; ///< the value is a list of them
};

constexpr std::array listedOptions{
    ListedOption{"analyze", "--rule", ruleNames},
    ListedOption{"analyze", "--exclude", ruleNames},
    ListedOption{"analyze", "--threshold", thresholdNames},
    ListedOption{"stats", "--report", tableNames},
    ListedOption{"compare", "--report", sectionNames},
    ListedOption{"report", "--tables", tableNames},
    ListedOption{"export", "--kinds", kindNames},
    ListedOption{"sql", "--question", questionNames, false},
    ListedOption{"samples", "--source", sourceNames, false},
    ListedOption{"name", "--by", groupingNames, false},
    ListedOption{"name", "--kind", kindNamesOfRange, false},
};

/// What `option` of whatif changes: "sync".
std::vector<std::string> changeNames(std::string_view option)
{
    std::vector<std::string> names;
    for (const CureSwitch* const cure : allSwitches()) {
        if (cure->option == option && !cure->value.empty())
            names.emplace_back(cure->value);
    }
    return names;
}

/// The allowed values in a check: "{table,json}".
std::vector<std::string> checkedValues(const std::string& type)
{
    std::vector<std::string> values;
    const std::size_t start = type.find('{');
    const std::size_t end = type.find('}', start);
    if (start == std::string::npos || end == std::string::npos)
        return values;
    for (std::size_t at = start + 1; at < end;) {
        const std::size_t comma = std::min(type.find(',', at), end);
        values.push_back(type.substr(at, comma - at));
        at = comma + 1;
    }
    return values;
}

/// The placeholder of the value: the option's, or a generic one where it only names a C++ type.
std::string valueWord(const CLI::Option& option)
{
    static constexpr std::array<std::string_view, 4> types{"TEXT", "INT", "UINT", "FLOAT"};
    if (option.get_items_expected_max() == 0) // a flag
        return {};
    const std::string type = option.get_type_name();
    const std::string word = type.substr(0, type.find(':'));
    const bool plain = std::ranges::find(types, word) != types.end();
    return plain || word.empty() || word.starts_with('{') ? "VALUE" : word;
}

DocumentedOption documentedOption(const CLI::App& command, const CLI::Option& option)
{
    static constexpr std::array<std::string_view, 5> files{
        "FILE", "FOLDER", "CONFIG", "VIEW", "FOLDER|PREFIX"};
    DocumentedOption made;
    for (const std::string& name : option.get_snames())
        made.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        made.names.push_back("--" + name);
    made.value = valueWord(option);
    made.choices = checkedValues(option.get_type_name());
    made.takesFile = std::ranges::find(files, made.value) != files.end();
    made.description = option.get_description();
    if (!made.choices.empty())
        return made;
    const auto* const listed = std::ranges::find_if(listedOptions, [&](const ListedOption& each) {
        return each.command == command.get_name() && each.option == made.names.back();
    });
    if (listed != listedOptions.end()) {
        made.choices = listed->names();
        made.severalChoices = listed->isSeveral;
    } else if (command.get_name() == "whatif")
        made.choices = changeNames(made.names.back());
    return made;
}

std::vector<DocumentedOption> optionsOf(const CLI::App& command)
{
    std::vector<DocumentedOption> options;
    for (const CLI::Option* const option : command.get_options()) {
        if (option->nonpositional() && !option->get_group().empty()) // others are hidden from --help
            options.push_back(documentedOption(command, *option));
    }
    return options;
}

std::vector<DocumentedOperand> operandsOf(const CLI::App& command)
{
    std::vector<DocumentedOperand> operands;
    for (const CLI::Option* const option : command.get_options()) {
        if (!option->get_positional())
            continue;
        const std::string name = option->get_name(true);
        operands.push_back({.name = name,
            .isRequired = option->get_required(),
            .isSeveral = option->get_items_expected_max() > 1,
            .isReport = name == "FILE",
            .isFile = name == "OUT"});
    }
    return operands;
}

} // namespace

DocumentedProgram documented(const CLI::App& app, std::vector<std::string> notes)
{
    DocumentedProgram program;
    program.name = app.get_name();
    program.version = programVersion();
    program.summary = app.get_description();
    program.options = optionsOf(app);
    program.operands = {{.name = "FILE", .isReport = true}}; // a report alone is analyzed
    for (const CLI::App* const command : app.get_subcommands({}))
        program.commands.push_back(
            {command->get_name(), command->get_description(), optionsOf(*command), operandsOf(*command)});
    program.helpTopics = entryNames(helpTopics(), &HelpTopic::name);
    program.notes = std::move(notes);
    program.seeAlso = "warpline";
    return program;
}

} // namespace warpline::cli
