// Meaning of NVTX range names: the conventions of model servers, trainers and frameworks in one place. Names
// are matched by words, so that "init" does not match "iteration", nor "read" "InputThread".

#include "core/steps/step_names.h"

#include "core/base/enum_key.h"
#include "core/base/words.h"
#include "core/steps/serving_names.h"
#include "core/steps/steps.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}
constexpr bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}
/// Beginnings of names that frameworks give to their operators, modules and communication.
constexpr std::array<std::string_view, 15> operatorStarts{"aten::", "autograd::", "c10",
    "torch::", "at::", "FSDP", "FullySharded", "Torch-Compiled", "TorchDynamo", "## Call", "megatron.core.",
    "nccl", "MPI_", "{'", "cub::"};
/// Parts of such names.
constexpr std::array<std::string_view, 5> operatorParts{
    ", op_id = ", ", seq = ", "(DataLoader)", "DataLoaderIter", "CompiledFunction"};
constexpr std::array<std::string_view, 4> loadPhrases{
    "load_weights", "load weights", "load_model", "loadmodel"};
constexpr std::array<std::string_view, 2> runPhrases{"profile_run", "dummy_run"};

constexpr std::array<std::string_view, 10> oneTimeWords{"warm", "warmup", "warming", "init", "initialize",
    "initialization", "setup", "capture", "capturing", "autotune"};
constexpr std::array<std::string_view, 24> partWords{"layer", "layers", "block", "blocks", "module",
    "modules", "attn", "attention", "mlp", "ffn", "expert", "experts", "moe", "micro", "microbatch",
    "microstep", "substep", "softmax", "optimizer", "opt", "grad", "dataloader", "dataload", "preload"};
constexpr std::array<std::string_view, 12> phaseWords{"fetch", "get", "recv", "send", "prepare", "update",
    "result", "results", "sample", "preprocess", "postprocess", "schedule"};
constexpr std::array<std::string_view, 6> stepWords{
    "step", "steps", "iter", "iters", "iteration", "iterations"};
constexpr std::array<std::string_view, 8> namedWords{
    "batch", "minibatch", "token", "tokens", "decode", "replay", "frame", "prefill"};
constexpr std::array<std::string_view, 7> containerWords{
    "epoch", "request", "generate", "generation", "train", "training", "inference"};

template <std::size_t count>
bool isAnyOf(const std::string& word, const std::array<std::string_view, count>& list)
{
    return std::ranges::find(list, word) != list.end();
}

template <std::size_t count>
bool holdsAny(const std::vector<std::string>& words, const std::array<std::string_view, count>& list)
{
    return std::ranges::any_of(words, [&](const std::string& word) { return isAnyOf(word, list); });
}

bool isOperator(std::string_view name)
{
    return std::ranges::any_of(operatorStarts, [&](std::string_view start) {
        return name.starts_with(start);
    }) || containsAny(name, operatorParts);
}

/// Words that only together mean loading input: "data_load", "train_dataloader_next".
bool loadsData(const std::vector<std::string>& words)
{
    const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
    return (has("data") || has("batch") || has("input"))
        && (has("load") || has("loader") || has("loading") || has("wait") || has("fetch"));
}

} // namespace

std::string_view labelOf(StepKind kind)
{
    return keyIn<StepKind::Mixed>({"", "prefill", "decode", "mixed"}, kind);
}

std::vector<std::string> wordsOf(std::string_view name)
{
    std::vector<std::string> words;
    char before = ' ';
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        const bool letter = isUpper(c) || isLower(c);
        // "ProfilerStep" is two words, and so is "MPIStep".
        const bool hump = isUpper(c)
            && (isLower(before) || (isUpper(before) && i + 1 < name.size() && isLower(name[i + 1])));
        const bool begins = letter && (!(isUpper(before) || isLower(before)) || hump);
        if (begins)
            words.emplace_back();
        if (letter)
            words.back() += isUpper(c) ? static_cast<char>(c + 32) : c;
        before = c;
    }
    return words;
}

StepRank stepRankOf(std::string_view name)
{
    if (isOperator(name))
        return StepRank::Never;
    const std::vector<std::string> words = wordsOf(name);
    const bool loads = std::ranges::any_of(
        loadPhrases, [&](std::string_view phrase) { return containsWord(name, phrase); });
    if (holdsAny(words, oneTimeWords) || holdsAny(words, compileWords) || loads
        || containsAny(name, runPhrases))
        return StepRank::OneTime;
    if (holdsAny(words, partWords) || loadsData(words))
        return StepRank::Never;
    const bool scoped = name.find("::") != std::string_view::npos;
    if (!scoped && holdsAny(words, phaseWords))
        return StepRank::Any;
    const bool isStep = std::ranges::any_of(
        words, [](const std::string& word) { return isAnyOf(word, stepWords) || word.ends_with("step"); });
    if (isStep || isServerStep(name))
        return StepRank::Step;
    // "Solver::assemble" may be any function: only a word for steps makes it a step.
    if (scoped)
        return StepRank::Never;
    if (holdsAny(words, namedWords))
        return StepRank::Named;
    return holdsAny(words, containerWords) ? StepRank::Container : StepRank::Any;
}

StepWork stepWorkOf(std::string_view name)
{
    const ServedWork served = servedWorkOf(name);
    return {served.kind, served.requests, served.kind == StepKind::Decode ? -1 : served.promptTokens};
}

std::string stepPatternOf(std::string_view name)
{
    return isSglangStep(name) ? "step[...]" : withoutNumbers(name);
}

std::string globOfPattern(std::string_view pattern)
{
    if (pattern == "step[...]")
        return "step[*]";
    std::string glob(pattern);
    std::ranges::replace(glob, '#', '*');
    return glob;
}

} // namespace warpline
