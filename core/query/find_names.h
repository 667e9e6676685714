#pragma once

#include "core/base/time.h"
#include "core/query/named_events.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// Events of one kind that match a name.
struct FoundName {
    NamedQuery query;
    std::uint64_t count = 0;
    Ns total = 0; ///< of whole durations
};

/// The events of each kind named `text`, for kernels also by short name; without any, those that `text`
/// matches with * and ?. Kinds with the most time first, derived ones last. `window` and `filter` go into the
/// queries. Throws Stopped. O(events).
std::vector<FoundName> findNames(const Trace& trace, std::string_view text, TimeRange window = {},
    std::string_view filter = {}, const std::stop_token& stop = {});

/// At most `most` names that contain `text`, for a hint when there is no such name.
std::vector<std::string> namesLike(const Trace& trace, std::string_view text, std::size_t most);

/// `filter` restricted to names that match `value`: a quotedValue(), or with wildcards a quotedGlob().
std::string withName(std::string_view filter, std::string_view value);

} // namespace warpline
