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

/// Hands out coverages, and the same one again for tracks of tables that did not change: while a report
/// loads, rows are made again and again, mostly of the tables they were made of before, and coverages are
/// what is large in them. Keeps none alive. For one thread at a time.
class CoverageCache {
public:
    /// Who makes rows with it stops when `stop` is requested: see buildRows().
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
