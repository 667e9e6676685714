#pragma once

#include "core/base/message.h"
#include "core/render/render.h"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Translates CLI11's texts on options and wrong usage.

namespace warpline::cli {

/// Adds an option to `app`. `help` describes it, `type` is the placeholder of its value.
template <typename Value>
CLI::Option* addOption(
    CLI::App& app, std::string names, Value& value, const Message& help, const char* type = nullptr)
{
    CLI::Option* const option = app.add_option(std::move(names), value, plain(help));
    return type ? option->type_name(type) : option;
}
/// The same without a value.
inline CLI::Option* addFlag(CLI::App& app, std::string names, bool& flag, const Message& help)
{
    return app.add_flag(std::move(names), flag, plain(help));
}

/// The heads of --help, of `app` and of the commands that are added to it from now on.
void labelHelp(CLI::App& app);

/// For check() of an option: the value must be one of `known`.
CLI::Validator oneOf(const std::vector<std::string>& known);
/// The value is a Number (double, int or std::size_t) from `low` to `high`.
template <typename Number> CLI::Validator inRange(Number low, Number high);
/// The value is greater than 0.
CLI::Validator positiveNumber();

/// "FILE is required".
Message requiredText(std::string option);
Message emptyValueText(std::string option);
/// Throws a CLI::ParseError for an option as "--output=" before "--": CLI11 would take the next argument as
/// its value.
void refuseEmptyValues(std::span<const std::string> arguments);
/// The complaint about the arguments of `app` for a failed parse.
std::string parseProblem(const CLI::App& app, const CLI::ParseError& error);

} // namespace warpline::cli
