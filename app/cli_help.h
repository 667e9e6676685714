#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpline::cli {

/// What `warpline-cli help TOPIC` explains beside commands.
struct HelpTopic {
    std::string_view name;
    std::string (*text)();
};
std::span<const HelpTopic> helpTopics();
const HelpTopic* findHelpTopic(std::string_view name); ///< nullptr: there is none

} // namespace warpline::cli
