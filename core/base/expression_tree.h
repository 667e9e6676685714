#pragma once

#include "core/base/regular_expression.h"

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// The parts of a RegularExpression, which alone uses them.
namespace warpline::expression {

/// A set of bytes that may appear at one place of a text.
using ByteSet = std::bitset<256>;

enum class NodeType : std::uint8_t { Bytes, Sequence, Either, Repeat, Begin, End, WordEdge, NoWordEdge };

inline constexpr int endless = -1; ///< of Node::most

/// A part of an expression, and the parts that it is made of.
struct Node {
    NodeType type = NodeType::Sequence;
    ByteSet bytes;
    std::vector<Node> parts;
    int least = 0;
    int most = 0; ///< or `endless`
};

/// An expression as a tree; unusable when it has a mistake.
struct Tree {
    Node all;
    std::optional<TextMistake> mistake;
};

/// Parentheses nest at most 100 deep. ASCII letters match both cases.
Tree treeOf(std::string_view text);

/// Whether byte `c` is a letter, a digit or _, between which and others \b stands.
bool isWordByte(unsigned c);

} // namespace warpline::expression
