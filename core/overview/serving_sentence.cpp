#include "core/overview/serving_sentence.h"

#include "core/base/message_names.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

/// " with 16 requests at a time", or "4 to 16 requests"; empty: the names do not show it.
Message requestsText(const Serving& serving)
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
    return {"serving.requests",
        " with {same, select, yes {{most, plural, one {# request} other {# requests}}} other {{fewest} to {all} requests}} at a time",
        {{"same", yesOrNo(fewest == most)}, {"most", Count{static_cast<std::uint64_t>(most)}},
            {"fewest", Ordinal{fewest}}, {"all", Ordinal{most}}}};
}

} // namespace

Message servingSentence(const Serving& serving)
{
    const bool isServer
        = std::ranges::any_of(serving.groups, [](const ServingGroup& group) { return group.requests >= 0; });
    if (!isServer || (serving.firstToken < 0 && serving.perToken < 0))
        return {};
    Message text;
    if (serving.firstToken >= 0)
        text += Message("serving.first_token", "Time to the first token: {time} from the start of its step.",
            {{"time", Duration{serving.firstToken}}});
    if (serving.perToken >= 0)
        text += Message("serving.per_token", "Time per further token: {time}{requests}.",
            {{"time", Duration{serving.perToken}}, {"requests", requestsText(serving)}});
    const double rate = serving.tokensPerSecond();
    return std::move(text)
        + (rate >= 0 ? Message("serving.throughput", "Throughput: {rate} tokens per second.",
               {{"rate", Number{rate, rate < 100 ? 1 : 0}}})
                     : Message("serving.no_tokens", "Its ranges do not name the number of tokens."));
}

} // namespace warpline
