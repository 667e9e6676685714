#pragma once

#include "app/program_documents.h"

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace warpline::cli {

// Names that options accept, for completions and suggestions.
std::vector<std::string> ruleNames();
std::vector<std::string> thresholdNames(); ///< "gpu_gaps.min_gap_ns"
std::vector<std::string> tableNames();
std::vector<std::string> sectionNames(); ///< of a comparison
std::vector<std::string> kindNames(); ///< of events that a report records
std::vector<std::string> sourceNames(); ///< of samples
std::vector<std::string> groupingNames(); ///< of the events of one name

/// warpline-cli as its options and subcommands declare it, with the names that lists of rules, tables and
/// thresholds can hold.
DocumentedProgram documented(const CLI::App& app, std::vector<std::string> notes);

} // namespace warpline::cli
