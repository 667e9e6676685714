#pragma once

#include "core/steps/step_names.h"

#include <cstdint>
#include <string_view>

namespace warpline {

/// What a step of a model server works on, as far as its name says; -1: the name does not say.
struct ServedWork {
    StepKind kind = StepKind::Plain; ///< Plain: no step of a model server
    std::int64_t requests = -1; ///< whose prompts it processes, and whose next tokens it makes
    std::int64_t prompts = -1; ///< of these, the former
    std::int64_t promptTokens = -1; ///< tokens of prompts that it processes
    /// Tokens that it makes: one for each request. A part of a prompt that is no last one makes none: names
    /// do not tell it, so that this is an upper bound where prompts are processed in chunks.
    std::int64_t outputTokens = -1;
};

/// Reads the names of vLLM ("execute_context_1(512)_generation_7(7)", with sums of lengths inside the
/// brackets: "execute_8192_context_9(sq8155sk8430...)_generation_37(sq37...)"), TensorRT-LLM ("[Executor]
/// _forward_step 3: 1 ctx reqs, 512 ctx tokens, 7 gen reqs") and SGLang ("step[EXTEND bs=15 toks=15360]"),
/// and others with the words prefill, extend, decode or token and "bs=", "batch_size=", "tokens=" and the
/// like. O(length).
ServedWork servedWorkOf(std::string_view name);

/// Whether the name is one of those that only steps of model servers have.
bool isServerStep(std::string_view name);

} // namespace warpline
