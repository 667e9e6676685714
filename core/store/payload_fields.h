#pragma once

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

/// The value of field `name` of `payload`; nullptr name matches none. False when it has no such field.
bool findPayloadField(std::string_view payload, std::string_view name, PayloadField& found);

} // namespace warpline
