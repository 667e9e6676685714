#include "core/steps/serving_names.h"

#include "core/base/ascii_case.h"
#include "core/base/saturate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>

namespace warpline {

namespace {

constexpr bool isLowerLetter(char c)
{
    return c >= 'a' && c <= 'z';
}

/// The number at the beginning of `text`.
std::optional<std::int64_t> leadingNumber(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && value >= 0 ? std::optional(value) : std::nullopt;
}

/// The number right after `mark` in `name`.
std::optional<std::int64_t> numberAfter(std::string_view name, std::string_view mark)
{
    const std::size_t found = name.find(mark);
    return found == std::string_view::npos ? std::nullopt : leadingNumber(name.substr(found + mark.size()));
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
    return leadingNumber(name.substr(begin, found - begin));
}

std::optional<std::int64_t> numberAfterAny(std::string_view name, std::span<const std::string_view> marks)
{
    for (const std::string_view mark : marks) {
        // "bs=" must not be the end of another word.
        const std::size_t found = name.find(mark);
        if (found != std::string_view::npos && (found == 0 || !isLowerLetter(name[found - 1]))) {
            if (const auto number = leadingNumber(name.substr(found + mark.size())))
                return number;
        }
    }
    return std::nullopt;
}

ServedWork workOf(std::int64_t prompts, std::int64_t generations, std::int64_t promptTokens)
{
    ServedWork work{.kind = prompts > 0 && generations > 0 ? StepKind::Mixed
            : prompts > 0                                  ? StepKind::Prefill
                                                           : StepKind::Decode,
        .prompts = std::max<std::int64_t>(0, prompts)};
    work.requests = saturatingAdd(work.prompts, std::max<std::int64_t>(0, generations));
    work.promptTokens = promptTokens;
    work.outputTokens = work.requests;
    return work;
}

/// The tokens in the brackets behind "_context_9" or "context_9": "(512)", "(888_788544)",
/// "(sq8155sk8430...)".
std::int64_t contextTokens(std::string_view name)
{
    const std::size_t context = name.find("context_");
    const std::size_t open = name.find('(', context);
    if (open == std::string_view::npos)
        return -1;
    std::string_view inside = name.substr(open + 1);
    if (inside.starts_with("sq")) // tokens asked about; "sk": those looked at
        inside.remove_prefix(2);
    return leadingNumber(inside).value_or(-1);
}

bool isVllmStep(std::string_view name)
{
    return name.starts_with("execute_") && name.find("context_") != std::string_view::npos
        && name.find("_generation_") != std::string_view::npos;
}

/// "execute_new_1_cached_7": vLLM of 2025. A request whose prompt is processed in chunks counts as cached
/// from the second chunk on.
bool isVllmCountStep(std::string_view name)
{
    return numberAfter(name, "execute_new_") && numberAfter(name, "_cached_");
}

bool isTensorRtStep(std::string_view name)
{
    return numberBefore(name, " ctx reqs") && numberBefore(name, " gen reqs");
}

/// The kind by words in the name.
StepKind kindByWords(std::string_view name)
{
    const std::vector<std::string> words = wordsOf(name);
    const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
    if (has("mixed") && isSglangStep(name))
        return StepKind::Mixed;
    if (has("extend") || has("prefill"))
        return StepKind::Prefill;
    return has("decode") || has("token") || has("decoding") ? StepKind::Decode : StepKind::Plain;
}

ServedWork workByWords(std::string_view name)
{
    static constexpr std::array<std::string_view, 8> requestMarks{
        "bs=", "batch_size=", "batch=", "num_reqs=", "num_requests=", "requests=", "reqs=", "bs:"};
    static constexpr std::array<std::string_view, 6> tokenMarks{
        "toks=", "num_tokens=", "tokens=", "seq_len=", "seqlen=", "toks:"};
    ServedWork work;
    work.kind = kindByWords(name);
    if (work.kind == StepKind::Plain && !isSglangStep(name))
        return work;
    work.requests = numberAfterAny(name, requestMarks).value_or(-1);
    if (work.kind != StepKind::Decode)
        work.promptTokens = numberAfterAny(name, tokenMarks).value_or(-1);
    if (work.kind == StepKind::Prefill)
        work.prompts = work.requests;
    else if (work.kind == StepKind::Decode && work.requests >= 0)
        work.prompts = 0;
    work.outputTokens = work.kind == StepKind::Plain ? -1 : work.requests;
    return work;
}

} // namespace

bool isSglangStep(std::string_view name)
{
    return name.starts_with("step[") && name.ends_with(']');
}

bool isServerStep(std::string_view name)
{
    return isVllmStep(name) || isVllmCountStep(name) || isSglangStep(name) || isTensorRtStep(name);
}

ServedWork servedWorkOf(std::string_view name)
{
    if (isVllmStep(name)) {
        const auto prompts = numberAfter(name, "context_");
        const auto generations = numberAfter(name, "_generation_");
        if (prompts && generations)
            return workOf(*prompts, *generations, *prompts > 0 ? contextTokens(name) : 0);
    }
    if (isVllmCountStep(name))
        return workOf(*numberAfter(name, "execute_new_"), *numberAfter(name, "_cached_"),
            *numberAfter(name, "execute_new_") > 0 ? -1 : 0);
    const auto prompts = numberBefore(name, " ctx reqs");
    const auto generations = numberBefore(name, " gen reqs");
    if (prompts && generations)
        return workOf(
            *prompts, *generations, *prompts > 0 ? numberBefore(name, " ctx tokens").value_or(-1) : 0);
    return workByWords(name);
}

} // namespace warpline
