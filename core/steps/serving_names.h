#pragma once

#include "core/steps/step_names.h"

#include <cstdint>
#include <string_view>

namespace warpline {

/// The work of a model server's step, from its name; -1: not in the name.
struct ServedWork {
    StepKind kind = StepKind::Plain; ///< Plain: no step of a model server
    std::int64_t requests = -1; ///< whose prompts it processes, or whose next tokens it makes
    std::int64_t prompts = -1; ///< of these, the former
    std::int64_t promptTokens = -1; ///< tokens of prompts that it processes
    /// Tokens that it makes: one per request. An upper bound where prompts are processed in chunks, because
    /// only the last chunk makes one and names do not show which it is.
    std::int64_t outputTokens = -1;
};

/// Reads the names of vLLM ("execute_context_1(512)_generation_7(7)", with sums of lengths inside the
/// brackets: "execute_8192_context_9(sq8155sk8430...)_generation_37(sq37...)"), TensorRT-LLM ("[Executor]
/// _forward_step 3: 1 ctx reqs, 512 ctx tokens, 7 gen reqs") and SGLang ("step[EXTEND bs=15 toks=15360]"),
/// and others with the words prefill, extend, decode or token and "bs=", "batch_size=", "tokens=" or similar.
/// O(length).
ServedWork servedWorkOf(std::string_view name);

/// Whether it is a step of SGLang: "step[DECODE bs=8]".
bool isSglangStep(std::string_view name);
/// Whether only steps of model servers have such a name.
bool isServerStep(std::string_view name);

} // namespace warpline
