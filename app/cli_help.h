#pragma once

#include "app/program_documents.h"

#include <span>
#include <string_view>

namespace warpline::cli {

/// A topic of `warpline-cli help TOPIC` other than commands.
struct HelpTopic {
    std::string_view name;
    std::string (*text)();
};
std::span<const HelpTopic> helpTopics();
const HelpTopic* findHelpTopic(std::string_view name); ///< nullptr: there is none

/// The exit codes for the manual page and the topics.
std::vector<DocumentedTerm> exitStatus();
std::vector<DocumentedTerm> environmentVariables();
std::vector<DocumentedTerm> files();
std::vector<DocumentedTerm> examples();

} // namespace warpline::cli
