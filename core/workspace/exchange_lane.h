#pragma once

#include "core/base/message.h"
#include "core/base/report_id.h"
#include "core/base/time.h"
#include "core/store/event_kind.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

/// A rank's part in an exchange with others, on its report's clock: first it waits, then it transfers.
struct ExchangeSlice {
    TimeRange range;
    Ns wait = 0; ///< the first part of `range`
    EventRef event;
};

/// The exchanges of one rank in one communicator, ready to draw: immutable.
class ExchangeLane {
public:
    ReportId report{};
    std::uint32_t rank = 0; ///< place in AcrossReport::ranks
    std::string label; ///< "rank 3"; part of the row's key
    Message figure; ///< "waits 3.2 ms"
    Message hint; ///< a sentence

    ExchangeLane() = default;
    /// Sorts `slices`; an event in several (a call that waits for several messages) counts once, with the
    /// longest wait. For overlaps the first one counts.
    explicit ExchangeLane(std::vector<ExchangeSlice> slices);

    const std::vector<ExchangeSlice>& slices() const { return m_slices; }
    Ns wait() const { return m_slices.empty() ? 0 : m_waitUpTo.back(); }
    Ns transfer() const { return m_slices.empty() ? 0 : m_transferUpTo.back(); }

    /// Adds to each column of `wait` and `transfer` its share of `window`, 0..1, times `weight`: exact, one
    /// search per column. Both have one entry per column of the window.
    void addShares(
        TimeRange window, std::vector<float>& wait, std::vector<float>& transfer, float weight = 1) const;
    /// The slices that lie in `window` and last `least` at least, in order: O(window / least * log n).
    void findLong(TimeRange window, Ns least, std::vector<std::size_t>& found) const;
    /// The slice at `time`, or the nearest one within `reach`; slices().size(): none. O(log n).
    std::size_t nearest(Ns time, Ns reach) const;
    /// Whether `event`, which begins at `start`, is here. O(log n).
    bool holds(EventRef event, Ns start) const;

private:
    /// Waiting and transfer time before `time`.
    std::pair<Ns, Ns> before(Ns time) const;
    std::size_t firstEndingAfter(Ns time) const;

    std::vector<ExchangeSlice> m_slices; ///< by start; ends are in order, too
    std::vector<Ns> m_waitUpTo; ///< with the slice itself
    std::vector<Ns> m_transferUpTo;
};

/// The exchanges of one communicator, a lane for each rank that takes part.
struct ExchangeRow {
    std::string key; ///< AcrossGroup::key
    Message label;
    Message hint;
    std::size_t exchanges = 0;
    std::vector<std::shared_ptr<const ExchangeLane>> lanes; ///< by rank
};

using ExchangeRows = std::vector<ExchangeRow>;

} // namespace warpline
