#pragma once

#include "core/store/event_table.h"

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// All events of one name and kind in a report.
struct NameSummary {
    StringId name{};
    std::uint64_t count = 0;
    Ns total = 0; ///< whole durations: concurrent work counts twice
    Ns median = 0; ///< of an even count the mean of the two in the middle
    Ns longest = 0;
    double share = 0; ///< of the total of its kind, 0..1
};

/// Statistics of every name of a report, computed once for tooltips.
class NameBook {
public:
    NameBook() = default;
    /// O(n log names) for n events; memory: four bytes per event of the most frequent name (eight where one
    /// took at least 4.29 s), and otherwise for ten million events at once. Throws Stopped when `stop` is
    /// requested.
    static NameBook of(const Trace& trace, const std::stop_token& stop = {});

    /// nullptr when no event of `kind` has the name. O(log names).
    const NameSummary* find(EventKind kind, StringId name) const;
    /// The names of `kind`, by total, longest first.
    std::span<const NameSummary> ofKind(EventKind kind) const { return m_kinds[indexOf(kind)].names; }

private:
    struct OfKind {
        std::vector<NameSummary> names;
        std::vector<std::uint32_t> byName; ///< places in `names`, by the id of the name
    };
    static OfKind summarize(
        const EventTable& table, std::vector<std::uint32_t>& places, const std::stop_token& stop);

    std::array<OfKind, eventKindCount> m_kinds;
};

} // namespace warpline
