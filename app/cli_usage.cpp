#include "app/cli_usage.h"

#include "core/render/render.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace warpline::cli {

namespace {

/// `check` with `problem` as its complaint about a value.
template <typename Problem> CLI::Validator sayingOf(CLI::Validator check, Problem problem)
{
    const std::string description = check.get_description();
    return {[check = std::move(check), problem = std::move(problem)](
                std::string& value) { return check(value).empty() ? std::string() : plain(problem(value)); },
        description};
}

const CLI::Option* firstMissing(const CLI::App& app)
{
    for (const CLI::Option* const option : app.get_options()) {
        if (option->get_required() && option->count() == 0)
            return option;
    }
    return nullptr;
}

/// The option in CLI11's error text, which exists nowhere else. nullptr: none.
const CLI::Option* optionIn(const CLI::App& app, std::string_view text, std::string_view before = {})
{
    for (const CLI::Option* const option : app.get_options()) {
        const std::string name = option->get_name();
        if (text.starts_with(before) && text.substr(before.size()).starts_with(name)
            && text.substr(before.size() + name.size()).find_first_of(": ") == 0)
            return option;
    }
    return nullptr;
}

Message mismatchText(const CLI::Option& option)
{
    const auto wanted = static_cast<std::uint64_t>(std::max(1, option.get_items_expected_min()));
    if (option.count() < wanted)
        return {"cli.values_missing", "{option}: {wanted} required {type} missing",
            {{"option", Name{option.get_name()}}, {"wanted", Count{wanted}},
                {"type", Name{option.get_type_name()}}}};
    return {"cli.too_many_values",
        "{option} takes at most {most, plural, one {# value} other {# values}}, and {given} are given",
        {{"option", Name{option.get_name()}},
            {"most", Count{static_cast<std::uint64_t>(std::max(1, option.get_items_expected_max()))}},
            {"given", Count{option.count()}}}};
}

/// Other CLI11 errors only have a text; empty: the text is enough.
Message problemText(const CLI::App& app, const CLI::ParseError& error)
{
    const std::string kind = error.get_name();
    const std::string_view text = error.what();
    if (kind == "RequiredError") {
        const CLI::Option* const missing = firstMissing(app);
        return missing ? requiredText(missing->get_name()) : Message();
    }
    if (kind == "ExtrasError") {
        const std::vector<std::string> extras = app.remaining();
        return {"cli.not_expected",
            "{n, plural, one {The following argument was not expected} other {The following arguments were not expected}}: {arguments}",
            {{"n", Count{extras.size()}}, {"arguments", Name{fmt::format("{}", fmt::join(extras, " "))}}}};
    }
    if (kind == "ExcludesError") {
        const CLI::Option* const option = optionIn(app, text);
        const std::string beforeOther = option ? option->get_name() + " excludes " : std::string();
        const CLI::Option* const other
            = option ? optionIn(app, std::string(text) + ' ', beforeOther) : nullptr;
        return other ? Message("cli.excludes", "{option} excludes {other}",
                   {{"option", Name{option->get_name()}}, {"other", Name{other->get_name()}}})
                     : Message();
    }
    if (kind == "ArgumentMismatch") {
        const CLI::Option* const option = optionIn(app, text);
        return option ? mismatchText(*option) : Message();
    }
    if (kind == "ConversionError") {
        const CLI::Option* const option = optionIn(app, text, "Could not convert: ");
        return option ? Message("cli.not_converted", "Could not convert: {option} = {value}",
                   {{"option", Name{option->get_name()}},
                       {"value", Name{fmt::format("{}", fmt::join(option->results(), ","))}}})
                      : Message();
    }
    return {};
}

} // namespace

void labelHelp(CLI::App& app)
{
    const std::string options = plain(Message("cli.label_options", "Options"));
    const auto formatter = app.get_formatter();
    formatter->label("Usage", plain(Message("cli.label_usage", "Usage")));
    formatter->label("OPTIONS", plain(Message("cli.label_any_options", "OPTIONS")));
    formatter->label("SUBCOMMAND", plain(Message("cli.label_subcommand", "SUBCOMMAND")));
    formatter->label("Positionals", plain(Message("cli.label_positionals", "Positionals")));
    formatter->label("REQUIRED", plain(Message("cli.label_required", "REQUIRED")));
    formatter->label("Excludes", plain(Message("cli.label_excludes", "Excludes")));
    app.option_defaults()->group(options);
    app.get_help_ptr()->group(options);
    app.get_help_ptr()->description(plain(Message("cli.help", "Print this help message and exit")));
    app.group(plain(Message("cli.label_subcommands", "Subcommands"))); // commands take it over
}

CLI::Validator oneOf(const std::vector<std::string>& known)
{
    return sayingOf(CLI::IsMember(known), [known](const std::string& value) {
        return Message("cli.not_one_of", "{value} not in {known}",
            {{"value", Name{value}}, {"known", Name{fmt::format("{{{}}}", fmt::join(known, ","))}}});
    });
}

template <typename Number> CLI::Validator inRange(Number low, Number high)
{
    return sayingOf(CLI::Range(low, high), [low, high](const std::string& value) {
        return Message("cli.not_in_range", "Value {value} not in range {low} to {high}",
            {{"value", Name{value}}, {"low", Name{fmt::format("{}", low)}},
                {"high", Name{fmt::format("{}", high)}}});
    });
}
template CLI::Validator inRange(double low, double high);
template CLI::Validator inRange(int low, int high);
template CLI::Validator inRange(std::size_t low, std::size_t high);

CLI::Validator positiveNumber()
{
    return sayingOf(CLI::PositiveNumber, [](const std::string& value) {
        return Message(
            "cli.not_positive", "Value {value} is not a number greater than 0", {{"value", Name{value}}});
    });
}

Message requiredText(std::string option)
{
    return {"cli.required", "{option} is required", {{"option", Name{std::move(option)}}}};
}

Message emptyValueText(std::string option)
{
    return {"cli.empty_value", "{option} has an empty value", {{"option", Name{std::move(option)}}}};
}

void refuseEmptyValues(std::span<const std::string> arguments)
{
    for (const std::string& word : arguments) {
        if (word == "--")
            return;
        if (word.starts_with("--") && word.find('=') == word.size() - 1)
            throw CLI::ValidationError(plain(emptyValueText(word.substr(0, word.size() - 1))));
    }
}

std::string parseProblem(const CLI::App& app, const CLI::ParseError& error)
{
    const Message text = problemText(app, error);
    return text.empty() ? error.what() : plain(text);
}

} // namespace warpline::cli
