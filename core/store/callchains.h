#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <span>
#include <vector>

namespace warpline {

/// One function of a call stack.
struct StackFrame {
    StringId symbol{};
    StringId module{};
    std::uint32_t line = 0; ///< of the source file `module`, in Python samples; 0: unknown
    bool unresolved = false; ///< the symbol is only an address
    bool kernelMode = false;
};

/// Call stacks by id (one more than the report's, where ids begin at 0; 0 means none); frames in order, the
/// innermost function first.
struct Callchains {
    std::vector<std::uint32_t> id; ///< sorted
    std::vector<std::uint32_t> firstFrame; ///< id.size() + 1 entries
    std::vector<StackFrame> frames;

    /// The frames of stack `chain`; empty when there is none.
    std::span<const StackFrame> stack(std::uint32_t chain) const;
    bool empty() const { return id.empty(); }
};

} // namespace warpline
