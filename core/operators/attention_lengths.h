#pragma once

#include <optional>
#include <string_view>

namespace warpline {

/// Lengths of the sequences in a step of a serving engine: how many new tokens (queries) each has, and how
/// many keys it has then.
struct AttentionLengths {
    double queries = 0; ///< sum
    double keys = 0; ///< sum
    double pairs = 0; ///< queries times keys of each sequence, without pairs that a causal mask hides
};

/// The lengths in the name of a step, in which engines' profilers write sums over sequences:
/// "execute_32_context_1(sq8sk8sqsq64sqsk64)_generation_32(sq32sk55086sqsq32sqsk55086)". Sequences of
/// "context" have a causal mask among their queries, those of "generation" see all keys. Nothing: the name
/// has none.
std::optional<AttentionLengths> attentionLengthsIn(std::string_view name);

} // namespace warpline
