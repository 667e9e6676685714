// What names of NVTX ranges mean: the conventions of model servers, trainers and frameworks in one place. A
// name is judged by its words, so that "init" is not found in "iteration", nor "read" in "InputThread".

#include "core/steps/step_names.h"

#include "core/base/ascii_case.h"
#include "core/steps/steps.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

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

constexpr std::array<std::string_view, 14> oneTimeWords{"warm", "warmup", "warming", "compile", "compiling",
    "compilation", "init", "initialize", "initialization", "setup", "capture", "capturing", "recompile",
    "autotune"};
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

template <std::size_t count>
bool containsAny(std::string_view name, const std::array<std::string_view, count>& parts)
{
    return std::ranges::any_of(
        parts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
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

/// The number right after `mark` in `name`, from `from` on.
std::optional<std::int64_t> numberAfter(std::string_view name, std::string_view mark)
{
    const std::size_t found = name.find(mark);
    if (found == std::string_view::npos)
        return std::nullopt;
    const char* const begin = name.data() + found + mark.size();
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(begin, name.data() + name.size(), value);
    return problem == std::errc() ? std::optional(value) : std::nullopt;
}

/// The number right before `mark`.
std::optional<std::int64_t> numberBefore(std::string_view name, std::string_view mark)
{
    const std::size_t found = name.find(mark);
    if (found == std::string_view::npos || found == 0)
        return std::nullopt;
    std::size_t begin = found;
    while (begin > 0 && isDigit(name[begin - 1]))
        --begin;
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(name.data() + begin, name.data() + found, value);
    return problem == std::errc() ? std::optional(value) : std::nullopt;
}

StepWork workOf(std::int64_t prompts, std::int64_t tokens, std::int64_t promptTokens)
{
    const StepKind kind = prompts > 0 && tokens > 0 ? StepKind::Mixed
        : prompts > 0                               ? StepKind::Prefill
                                                    : StepKind::Decode;
    return {kind, std::max<std::int64_t>(0, prompts) + std::max<std::int64_t>(0, tokens), promptTokens};
}

bool isServerStep(std::string_view name)
{
    return name.starts_with("step[") && name.ends_with(']');
}

} // namespace

std::string_view labelOf(StepKind kind)
{
    switch (kind) {
    case StepKind::Prefill:
        return "prefill";
    case StepKind::Decode:
        return "decode";
    case StepKind::Mixed:
        return "mixed";
    case StepKind::Plain:
        break;
    }
    return "";
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
    if (holdsAny(words, oneTimeWords) || loads || containsAny(name, runPhrases))
        return StepRank::OneTime;
    if (holdsAny(words, partWords) || loadsData(words))
        return StepRank::Never;
    const bool scoped = name.find("::") != std::string_view::npos;
    if (!scoped && holdsAny(words, phaseWords))
        return StepRank::Any;
    const bool isStep = std::ranges::any_of(
        words, [](const std::string& word) { return isAnyOf(word, stepWords) || word.ends_with("step"); });
    if (isStep || name.find("execute_context_") != std::string_view::npos)
        return StepRank::Step;
    // "Solver::assemble" may be anybody's function: only a word that says so makes it a step.
    if (scoped)
        return StepRank::Never;
    if (holdsAny(words, namedWords))
        return StepRank::Named;
    return holdsAny(words, containerWords) ? StepRank::Container : StepRank::Any;
}

StepWork stepWorkOf(std::string_view name)
{
    const auto prompts = numberAfter(name, "execute_context_");
    const auto tokens = numberAfter(name, "_generation_");
    if (prompts && tokens)
        return workOf(*prompts, *tokens, numberAfter(name, "(").value_or(-1));
    const auto contextRequests = numberBefore(name, " ctx reqs");
    const auto generationRequests = numberBefore(name, " gen reqs");
    if (contextRequests && generationRequests)
        return workOf(*contextRequests, *generationRequests, numberBefore(name, " ctx tokens").value_or(-1));
    const std::vector<std::string> words = wordsOf(name);
    const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
    StepWork work;
    if (has("mixed") && isServerStep(name))
        work.kind = StepKind::Mixed;
    else if (has("extend") || has("prefill"))
        work.kind = StepKind::Prefill;
    else if (has("decode") || has("token") || has("decoding"))
        work.kind = StepKind::Decode;
    if (isServerStep(name)) {
        work.requests = numberAfter(name, "bs=").value_or(-1);
        work.promptTokens = numberAfter(name, "toks=").value_or(-1);
    }
    return work;
}

std::string stepPatternOf(std::string_view name)
{
    return isServerStep(name) ? "step[...]" : withoutNumbers(name);
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
