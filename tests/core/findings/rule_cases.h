#pragma once

#include "tests/core/findings/drawn_program.h"

#include <functional>
#include <string_view>
#include <vector>

namespace warpline::test {

/// A program in which a rule must find something, or nothing.
struct RuleCase {
    std::string_view rule; ///< Rule::id
    const char* name; ///< the program's behaviour: "pinned memory"
    bool found;
    std::function<void(DrawnProgram&)> draw;
};

/// Five times `kernels` of 1 ms alone, and five times in reverse order during an all-reduce, each for
/// `slowed`.
void besideCollectives(DrawnProgram& drawn, Ns slowed, std::vector<std::string_view> kernels = {"my_gemm"});

std::vector<RuleCase> copyCases();
std::vector<RuleCase> idleCases(); ///< idle GPUs, and waits
std::vector<RuleCase> kernelCases();
std::vector<RuleCase> programCases(); ///< steps, host, recording
std::vector<RuleCase> memoryCases(); ///< unified memory, data that moves again and again
std::vector<RuleCase> hostCases(); ///< the host's threads, start-up
std::vector<RuleCase> shapeCases(); ///< blocks, sizes, where the time goes

} // namespace warpline::test
