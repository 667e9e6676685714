#include "core/export/serving_text.h"

#include "core/base/utf8.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace warpline {

namespace {

template <typename Number> Json knownJson(Number value)
{
    return value >= 0 ? Json(value) : Json();
}

Json groupJson(const ServingGroup& group)
{
    return {{"phase", group.kind == StepKind::Plain ? "other" : labelOf(group.kind)},
        {"requests", knownJson(group.requests)}, {"steps", group.steps.size()},
        {"prompt_tokens", knownJson(group.promptTokens)}, {"output_tokens", knownJson(group.outputTokens)},
        {"total_ns", group.total}, {"median_host_ns", group.median},
        {"first_token_ns", knownJson(group.firstToken)}, {"per_token_ns", knownJson(group.perToken)},
        {"tokens_per_second", knownJson(group.tokensPerSecond())}};
}

} // namespace

Json servingJson(const std::vector<Serving>& all)
{
    if (all.empty())
        return {};
    Json list = Json::array();
    for (const Serving& serving : all) {
        Json groups = Json::array();
        for (const ServingGroup& group : serving.groups)
            groups.push_back(groupJson(group));
        list.push_back({{"pid", pidOf(serving.thread)}, {"tid", tidOf(serving.thread)},
            {"pattern", toUtf8(serving.pattern)}, {"first_token_ns", knownJson(serving.firstToken)},
            {"per_token_ns", knownJson(serving.perToken)},
            {"tokens_per_second", knownJson(serving.tokensPerSecond())},
            {"output_tokens", knownJson(serving.outputTokens)}, {"groups", std::move(groups)}});
    }
    return list;
}

} // namespace warpline
