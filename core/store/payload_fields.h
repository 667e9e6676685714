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

/// The fields of NvtxAttributes::payload: those of a JSON object in order, or one named "Payload" for
/// anything else. Empty for no payload. Invalid JSON gives the fields before the error.
std::vector<PayloadField> payloadFields(std::string_view payload);

/// The field `name` of `payload`; nothing when it has no such field.
std::optional<PayloadField> findPayloadField(std::string_view payload, std::string_view name);

/// The elements of `list`, a JSON list in PayloadField::value, as text. Empty for anything else; invalid JSON
/// gives the elements before the error.
std::vector<std::string> payloadElements(std::string_view list);

} // namespace warpline
