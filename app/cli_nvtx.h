#pragma once

#include "app/cli_answer.h"

#include <string>

namespace warpline {
class Trace;
}

namespace warpline::cli {

/// The complaint about `glob`, from --steps or --nvtx: "no NVTX range is named 'stp*' (did you mean
/// step_*?)". Empty: ranges of `trace` match, with or without their domain in front.
std::string noSuchRange(const Trace& trace, const std::string& glob);
/// Ends the command where `option` gave a glob that is a mistake.
void requireRange(Answer& answer, const Trace& trace, const std::string& glob, const std::string& option);

} // namespace warpline::cli
