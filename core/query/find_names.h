#pragma once

#include "core/base/time.h"
#include "core/query/named_events.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// Events of one kind that a name stands for.
struct FoundName {
    NamedQuery query;
    std::uint64_t count = 0;
    Ns total = 0; ///< of whole durations
};

/// What `text` names: the events of each kind that are called so, kernels by their short name too; where
/// there are none, those whose names `text` matches with * and ?. Kinds with the most time first, derived
/// ones last. `window` and `filter` go into the queries. Throws Stopped. O(events).
std::vector<FoundName> findNames(const Trace& trace, std::string_view text, TimeRange window = {},
    std::string_view filter = {}, const std::stop_token& stop = {});

/// Names that hold `text`, for a hint where there is no such name; at most `most`.
std::vector<std::string> namesLike(const Trace& trace, std::string_view text, std::size_t most);

/// A filter that asks for what `filter` asks and for names that are `glob`.
std::string withName(std::string_view filter, std::string_view glob);

} // namespace warpline
