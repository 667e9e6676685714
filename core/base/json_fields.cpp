#include "core/base/json_fields.h"

#include <array>

namespace warpline {

using Json = nlohmann::ordered_json;

namespace {

/// Whether what the parser meets before its end or a fault stays within the limits. Not by its callback,
/// which makes a list of n objects cost n * n.
bool isWithinLimits(std::string_view text)
{
    std::array<std::size_t, maxJsonDepth + 1> keys{}; // of what is open at each depth
    std::size_t depth = 0;
    std::size_t compared = 0; // keys
    bool isInText = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (isInText) {
            i += c == '\\' ? 1 : 0;
            isInText = c != '"';
        } else if (c == '"') {
            isInText = true;
        } else if (c == '{' || c == '[') {
            if (++depth > maxJsonDepth)
                return false;
            keys[depth] = 0;
        } else if (c == '}' || c == ']') {
            depth -= depth > 0 ? 1 : 0;
        } else if (c == ':') {
            compared += ++keys[depth];
            if (compared > maxJsonCompared)
                return false;
        }
    }
    return true;
}

} // namespace

Json parseJson(std::string_view text, bool* isBeyondLimits)
{
    const bool isWithin = isWithinLimits(text);
    if (isBeyondLimits)
        *isBeyondLimits = !isWithin;
    return isWithin ? Json::parse(text, nullptr, false) : Json(Json::value_t::discarded);
}

} // namespace warpline
