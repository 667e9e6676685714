#include "core/export/json_text.h"

#include "core/base/utf8.h"

#include <nlohmann/json.hpp>

namespace warpline {

Json jsonText(std::string_view bytes)
{
    return toUtf8(bytes);
}

Json jsonTextOrNull(std::string_view bytes)
{
    return bytes.empty() ? Json() : jsonText(bytes);
}

Json jsonRange(TimeRange range)
{
    return Json::array({range.start, range.end});
}

std::string documentOf(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace warpline
