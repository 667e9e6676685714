#pragma once

#include "core/kineto/json_value.h"

#include <string_view>
#include <vector>

namespace warpline {

/// An unparsed event of a trace: views of its text.
struct RawEvent {
    JsonValue phase; ///< "X", "i", "M" ...
    JsonValue category;
    JsonValue name;
    JsonValue pid;
    JsonValue tid;
    JsonValue start; ///< "ts", microseconds
    JsonValue duration; ///< "dur"
    JsonValue id; ///< of a flow or a counter
    std::vector<JsonField> arguments; ///< "args"

    /// The argument `key`; none when it is not there.
    const JsonValue& argument(std::string_view key) const;
    bool isPhase(char letter) const { return phase.text.size() == 1 && phase.text.front() == letter; }
};

/// Parses the event `text`. False when it is not a whole object; then `event` is unusable. Reuses the lists
/// of `event`.
bool parseEvent(std::string_view text, RawEvent& event);
/// The same of the object that is next in `reader`.
bool parseEvent(JsonReader& reader, RawEvent& event);

} // namespace warpline
