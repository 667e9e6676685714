#pragma once

#include "core/base/message.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class ParseError;
class Validator;
} // namespace CLI

// What CLI11 says of options and of wrong usage, in the language of the texts.

namespace warpline::cli {

/// The heads of --help, of `app` and of the commands that are added to it from now on.
void labelHelp(CLI::App& app);

/// For check() of an option: the value is one of `known`.
CLI::Validator oneOf(const std::vector<std::string>& known);
/// The value is a number from `low` to `high`.
CLI::Validator inRange(double low, double high);
/// The value is a whole number from `low` to `high`.
CLI::Validator wholeInRange(int low, int high);
/// The same of a count.
CLI::Validator countInRange(std::size_t low, std::size_t high);
/// The value is greater than 0.
CLI::Validator positiveNumber();

/// "FILE is required".
Message requiredText(std::string option);
/// What is wrong with the arguments of `app`, which parsing them ended with.
std::string parseProblem(const CLI::App& app, const CLI::ParseError& error);

} // namespace warpline::cli
