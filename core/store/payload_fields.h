#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

/// One field of an NVTX payload.
struct PayloadField {
    std::string name;
    std::string value; ///< text without quotes, a number as it is written, or JSON for lists and objects
    bool isText = false; ///< the value was a quoted text
};

/// The fields of a payload as NvtxAttributes::payload holds it: those of a JSON object, in its order, or one
/// named "Payload" for anything else. Empty for no payload. What is not quite JSON gives the fields before
/// it.
std::vector<PayloadField> payloadFields(std::string_view payload);

/// The field `name` of `payload`; nothing when it has no such field.
std::optional<PayloadField> findPayloadField(std::string_view payload, std::string_view name);

/// The elements of `list`, a JSON list as PayloadField::value holds it, as they are written there. Empty for
/// anything else; what is not quite JSON gives the elements before it.
std::vector<std::string> payloadElements(std::string_view list);

} // namespace warpline
