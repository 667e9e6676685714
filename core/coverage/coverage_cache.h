#pragma once

#include "core/coverage/coverage.h"
#include "core/store/event_kind.h"

#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

class Trace;
struct EventTable;

/// Reuses coverages for tracks of unchanged tables: while a report loads, rows are built again and again,
/// mostly of the same tables, and coverages are their largest part. Keeps none alive. Not thread-safe.
class CoverageCache {
public:
    /// Building rows with it stops when `stop` is requested: see buildRows().
    explicit CoverageCache(std::stop_token stop = {})
        : m_stop(std::move(stop))
    {
    }

    const std::stop_token& stop() const { return m_stop; }
    /// The coverage of `tracks` of `trace`. Throws Stopped when stop() is requested.
    std::shared_ptr<const Coverage> of(const Trace& trace, const std::vector<TrackRef>& tracks);

private:
    struct Known {
        std::vector<TrackRef> tracks;
        std::vector<std::weak_ptr<const EventTable>> tables; ///< of the tracks
        std::weak_ptr<const Coverage> coverage;
    };
    std::stop_token m_stop;
    std::vector<Known> m_known;
};

} // namespace warpline
