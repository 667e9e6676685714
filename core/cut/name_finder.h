#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// Finds many names in a text at once: by Aho and Corasick's automaton, in O(n) of the text however many
/// names there are.
class NameFinder {
public:
    /// O(n) in the letters of `names`, of which none is empty.
    explicit NameFinder(const std::set<std::string>& names);

    /// `text` with `substitute` for each name; names that overlap in the text are replaced as one.
    std::string replaced(std::string_view text, std::string_view substitute) const;

private:
    /// The texts that names begin with; the children of one stand together, by letter.
    struct Node {
        std::uint32_t firstChild = 0;
        std::uint32_t children = 0;
        std::uint32_t shorter = 0; ///< the longest end of its text that is a node, too
        std::uint32_t found = 0; ///< bytes of the longest name that its text ends with; 0: none
        char letter = 0; ///< its last
    };
    /// 0: it has no such child.
    std::uint32_t childOf(std::uint32_t node, char letter) const;
    /// The longest end of `node` and `letter` that is a node.
    std::uint32_t next(std::uint32_t node, char letter) const;

    std::vector<Node> m_nodes; ///< shorter texts first, beginning with the empty one
};

} // namespace warpline
