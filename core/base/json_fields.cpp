#include "core/base/json_fields.h"

namespace warpline {

using Json = nlohmann::ordered_json;

Json parseJson(std::string_view text, bool* isTooDeep)
{
    bool isDeep = false;
    Json json = Json::parse(
        text,
        [&isDeep](int depth, Json::parse_event_t /*event*/, const Json& /*value*/) {
            isDeep = isDeep || depth > maxJsonDepth;
            return !isDeep;
        },
        false);
    if (isTooDeep)
        *isTooDeep = isDeep;
    return isDeep ? Json(Json::value_t::discarded) : json;
}

} // namespace warpline
