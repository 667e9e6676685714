#include "core/overview/serving_sentence.h"

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/findings/evidence.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

/// "16 requests" or "4 to 16 requests": at a time; empty: the names do not say.
std::string requestsText(const Serving& serving)
{
    std::int64_t fewest = -1;
    std::int64_t most = -1;
    for (const ServingGroup& group : serving.groups) {
        if (group.requests < 0 || group.perToken < 0)
            continue;
        fewest = fewest < 0 ? group.requests : std::min(fewest, group.requests);
        most = std::max(most, group.requests);
    }
    if (most < 0)
        return {};
    return fewest == most ? counted(static_cast<std::uint64_t>(most), "request")
                          : fmt::format("{} to {} requests", fewest, most);
}

} // namespace

std::string servingSentence(const Serving& serving)
{
    const bool isServer
        = std::ranges::any_of(serving.groups, [](const ServingGroup& group) { return group.requests >= 0; });
    if (!isServer || (serving.firstToken < 0 && serving.perToken < 0))
        return {};
    std::string text;
    if (serving.firstToken >= 0)
        text = fmt::format(
            "Time to the first token: {} from the start of its step. ", roundedDuration(serving.firstToken));
    if (serving.perToken >= 0) {
        text += fmt::format("Time per further token: {}", roundedDuration(serving.perToken));
        if (const std::string requests = requestsText(serving); !requests.empty())
            text += " with " + requests + " at a time";
        text += ". ";
    }
    const double rate = serving.tokensPerSecond();
    return text
        + (rate >= 0 ? fmt::format("Throughput: {} tokens per second.", formatReal(rate, rate < 100 ? 1 : 0))
                     : "Its ranges do not name the number of tokens.");
}

} // namespace warpline
