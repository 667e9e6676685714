#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The kind of a model server's step, by its name.
enum class StepKind : std::uint8_t {
    Plain, ///< not in the name: a training step, an iteration of a solver
    Prefill, ///< whole prompts: ends with the first token
    Decode, ///< one token for each request
    Mixed, ///< prompts of some requests together with tokens of others
};
std::string_view labelOf(StepKind kind); ///< "", "prefill", "decode", "mixed"

/// How likely an NVTX range is an iteration of the program, by its name; later values are preferred.
enum class StepRank : std::uint8_t {
    Never, ///< a part of a step (layer, block, attention, optimizer), an operator of a framework or library
    OneTime, ///< warm-up, compilation, capture, start: steps inside such a range are no steady ones
    Any, ///< no hint in the name
    Container, ///< holds steps rather than being one: epoch, request, generate, train
    Named, ///< batch, token, decode, replay, frame
    Step, ///< step, iteration
};

/// The rank of a range by its name.
StepRank stepRankOf(std::string_view name);

/// The kind of step, and how many requests it serves.
struct StepWork {
    StepKind kind = StepKind::Plain;
    std::int64_t requests = -1; ///< -1: not in the name
    std::int64_t promptTokens = -1; ///< of the prompts that it processes; -1: not in the name
    friend auto operator<=>(const StepWork&, const StepWork&) = default;
};

/// Reads the counts in the step names of vLLM ("execute_context_1(512)_generation_7(7)"), TensorRT-LLM
/// ("[Executor] _forward_step 3: 1 ctx reqs, 7 gen reqs") and SGLang ("step[DECODE bs=8]"), and the words
/// prefill and decode in others. O(length).
StepWork stepWorkOf(std::string_view name);

/// The common pattern of a program's steps: `name` with '#' for every number, and "..." for the text inside
/// SGLang's brackets, which differs by kind of step.
std::string stepPatternOf(std::string_view name);
/// The glob that matches all names of a pattern: "step_#" -> "step_*".
std::string globOfPattern(std::string_view pattern);

/// Words of names of ranges that compile.
inline constexpr std::array<std::string_view, 4> compileWords{
    "compile", "compiling", "compilation", "recompile"};

/// The words of a name in lower case: "Warm-up Step #3" and "WarmUpStep3" are warm, up, step.
std::vector<std::string> wordsOf(std::string_view name);

} // namespace warpline
