#pragma once

#include "core/store/event_loops.h"
#include "core/store/links.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace warpline {

class Trace;

/// Calls visit(EventRef) for each piece of device work that API call `call` started; Trace::workOf() without
/// a vector.
template <typename Visit> void forEachWork(const Links& links, EventIndex call, Visit visit)
{
    const EventRef first = Links::unpack(links.firstWork[call]);
    if (!first.valid())
        return;
    visit(first);
    auto more = std::ranges::lower_bound(links.moreWork, std::pair<EventIndex, std::uint32_t>{call, 0});
    for (; more != links.moreWork.end() && more->first == call; ++more)
        visit(Links::unpack(more->second));
}

/// API calls that share their process and correlation id with the call Links names for a piece of GPU work.
/// Where CUDA backtraces are on, nsys records some calls twice under one id, and its tables that join kernels
/// with calls by the id count such kernels twice. Empty for most reports.
class CallTwins {
public:
    /// O(API calls). Throws Stopped when `stop` is requested.
    explicit CallTwins(const Trace& trace, const std::stop_token& stop = {});

    /// Calls visit(twin) for each further call of the id that linked call `call` has.
    template <typename Visit> void forEachTwin(EventIndex call, Visit visit) const
    {
        for (std::size_t i = firstOf(call); i < m_twins.size() && m_twins[i].first == call; ++i)
            visit(m_twins[i].second);
    }
    bool empty() const { return m_twins.empty(); }
    /// (linked call, twin), sorted.
    const std::vector<std::pair<EventIndex, EventIndex>>& all() const { return m_twins; }

private:
    std::size_t firstOf(EventIndex call) const;

    std::vector<std::pair<EventIndex, EventIndex>> m_twins;
};

/// Those of `trace`, found when first asked for and kept as long as its links are: most reports have none,
/// and to know that all calls have to be looked at. Safe to call from several threads. Throws Stopped.
std::shared_ptr<const CallTwins> callTwinsOf(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
