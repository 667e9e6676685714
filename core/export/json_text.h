#pragma once

#include "core/base/message.h"
#include "core/base/time.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// JSON that keeps the order of its keys. Only declared here: the .cpp files include the library.
using Json = nlohmann::ordered_json;

/// Text of a report as a JSON string: bytes that are not UTF-8 are replaced.
Json jsonText(std::string_view bytes);
/// The same; null where `bytes` is empty.
Json jsonTextOrNull(std::string_view bytes);
/// Messages in the language of the program; an empty one is null.
Json jsonOf(const Message& message);
Json jsonOf(const std::vector<Message>& messages);
/// {start, end} in nanoseconds. The keys of such values end in `range_ns`; all others that end in `_ns` are
/// whole numbers.
Json jsonRange(TimeRange range);
/// A time that was computed, to the nanosecond.
Json jsonNs(double time);
/// `json` on one line; bytes that are not UTF-8 are replaced.
std::string compactText(const Json& json);

} // namespace warpline
