#pragma once

#include "core/base/expression_tree.h"

#include <cstdint>
#include <vector>

namespace warpline::expression {

/// An instruction: tests the text at one place, or jumps.
enum class Step : std::uint8_t { Bytes, Split, Jump, Begin, End, WordEdge, NoWordEdge, Match };

/// A step of a program, and where it leads.
struct Instruction {
    Step step = Step::Match;
    std::uint32_t to = 0; ///< Split, Jump: where to go on
    std::uint32_t other = 0; ///< Split: where as well; Bytes: which set
};

/// The instructions of a machine that decides whether a text matches.
struct Program {
    std::vector<Instruction> steps;
    std::vector<ByteSet> sets;
    bool isTooLarge = false;
};

/// The program of `tree`; too large where it would have more than RegularExpression::maxInstructions.
Program programOf(const Node& tree);

} // namespace warpline::expression
