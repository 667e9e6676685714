#include "core/export/json_text.h"

#include "core/base/utf8.h"
#include "core/render/render.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace warpline {

Json jsonText(std::string_view bytes)
{
    return toUtf8(bytes);
}

Json jsonTextOrNull(std::string_view bytes)
{
    return bytes.empty() ? Json() : jsonText(bytes);
}

Json jsonOf(const Message& message)
{
    return jsonTextOrNull(plain(message));
}

Json jsonOf(const std::vector<Message>& messages)
{
    Json list = Json::array();
    for (const Message& message : messages)
        list.push_back(jsonOf(message));
    return list;
}

Json jsonRange(TimeRange range)
{
    return {{"start", range.start}, {"end", range.end}};
}

Json jsonNs(double time)
{
    return std::llround(time);
}

std::string compactText(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace warpline
