#pragma once

#include "tests/core/findings/drawn_program.h"

#include <functional>
#include <string_view>
#include <vector>

namespace warpline::test {

/// A program in which a rule must find something, or nothing.
struct RuleCase {
    std::string_view rule; ///< Rule::id
    const char* name; ///< "pinned memory": what the program does
    bool found;
    std::function<void(DrawnProgram&)> draw;
};

std::vector<RuleCase> copyCases();
std::vector<RuleCase> idleCases(); ///< what keeps a GPU idle, and waits
std::vector<RuleCase> kernelCases();
std::vector<RuleCase> programCases(); ///< steps, host, recording

} // namespace warpline::test
