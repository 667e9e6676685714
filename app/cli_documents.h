#pragma once

#include "app/program_documents.h"

namespace CLI {
class App;
} // namespace CLI

namespace warpline::cli {

/// warpline-cli as its options and subcommands declare it, with the names that lists of rules, tables and
/// thresholds can hold.
DocumentedProgram documented(const CLI::App& app, std::vector<std::string> notes);

} // namespace warpline::cli
