#pragma once

#include "core/base/regular_expression.h"

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// The parts of a RegularExpression, which alone uses them.
namespace warpline::expression {

/// A set of bytes: what one place of a text may hold.
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

/// An expression as a tree; of no use when it has a mistake.
struct Tree {
    Node all;
    std::optional<TextMistake> mistake;
};

/// Parentheses stand a hundred deep at most. Letters of ASCII stand for both cases.
Tree treeOf(std::string_view text);

/// Whether byte `c` is a letter, a digit or _, between which and others \b stands.
bool isWordByte(unsigned c);

} // namespace warpline::expression
