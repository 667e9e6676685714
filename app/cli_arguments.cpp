#include "app/cli_arguments.h"

#include "core/base/duration_text.h"
#include "core/base/words.h"
#include "core/render/render.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace warpline::cli {

Result<RangeArgument> parseRange(std::string_view text)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        return Error{
            "cli.not_a_range", "'{text}' is not a range: use FROM:TO", {{"text", Name{std::string(text)}}}};
    RangeArgument range;
    const std::array<std::pair<std::string_view, std::optional<Ns>*>, 2> sides{
        {{text.substr(0, colon), &range.from}, {text.substr(colon + 1), &range.to}}};
    for (const auto& [part, side] : sides) {
        if (trimmed(part, " \t").empty())
            continue;
        const Result<Ns> time = parseTime(part);
        if (!time.ok())
            return time.error();
        *side = time.value();
    }
    if (range.from && range.to && *range.from >= *range.to)
        return Error{"cli.range_ends_early", "the range {text} is empty: its end must be after its start",
            {{"text", Name{std::string(text)}}}};
    return range;
}

Result<RangeArgument> parseRange(const std::string& range, const std::string& from, const std::string& to)
{
    if (range.empty())
        return parseRange(from + ':' + to);
    return from.empty() && to.empty() ? parseRange(range)
                                      : Result<RangeArgument>(Error{"cli.range_twice",
                                          "--range replaces --from and --to: give one of the two"});
}

Message ofOption(std::string option, Message problem)
{
    return {"cli.of_option", "{option}: {problem}",
        {{"option", Name{std::move(option)}}, {"problem", std::move(problem)}}};
}

std::vector<std::string> splitList(std::string_view text)
{
    std::vector<std::string> parts;
    while (!text.empty()) {
        if (const std::string_view part = trimmed(takeUpTo(text, ",\n"), " \t"); !part.empty())
            parts.emplace_back(part);
    }
    return parts;
}

std::string finiteProblem(const std::string& text)
{
    const char* const begin = text.c_str();
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    constexpr double most = 1e30; // quotients of two such numbers are finite
    return end != begin && !(std::abs(value) <= most)
        ? plain(Message("cli.not_finite", "{text} is not a number up to 1e30", {{"text", Name{text}}}))
        : std::string();
}

} // namespace warpline::cli
