#pragma once

#include "core/base/message.h"
#include "core/replay/graph_edit.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A switch by which a user asks for a cure: an option of `warpline-cli whatif`, a box of the panel.
struct CureSwitch {
    std::string_view option; ///< "--without"
    std::string_view value = {}; ///< "sync"; empty: the option has none
    std::string_view title; ///< "No synchronization"
    std::string_view help; ///< a sentence on the change
    std::string_view nothing; ///< what the replayed time lacks for it to have an effect
    /// The edits in `graph`, which is of `trace`.
    std::vector<CureEdit> (*edits)(const Trace& trace, const ReplayGraph& graph);
};

/// CureSwitch::edits of a switch that changes all that `kind` can change.
template <CureKind kind> std::vector<CureEdit> editsOfAll(const Trace&, const ReplayGraph&)
{
    return {CureEdit{.kind = kind}};
}

/// Its option and value as one word: "without_sync".
std::string keyOf(const CureSwitch& cure);

// The texts of a switch, with keys such as "whatif.without_sync_title".
inline Message titleOf(const CureSwitch& cure)
{
    return {"whatif", keyOf(cure) + "_title", cure.title};
}
inline Message helpOf(const CureSwitch& cure)
{
    return {"whatif", keyOf(cure) + "_help", cure.help};
}
inline Message nothingOf(const CureSwitch& cure)
{
    return {"whatif", keyOf(cure) + "_nothing", cure.nothing};
}

/// One kind of cure: its change of a graph, and its switches.
struct CureEntry {
    CureKind kind;
    std::string_view key; ///< "remove_sync": in JSON
    /// Makes the edit; how many calls and pieces of work change.
    std::size_t (*apply)(GraphEdit& edit);
    std::span<const CureSwitch> switches = {};
};

/// All kinds, in the order in which cures that are asked for together are applied. The list is in
/// apply_cure.cpp and nowhere else.
std::span<const CureEntry* const> allCures();
/// The switches of all kinds, in that order.
std::vector<const CureSwitch*> allSwitches();

/// Applies `edit` to `graph`, a graph of `trace`; returns the number of changed calls and pieces of work.
/// EvenSteps changes lengths of steps, not the graph, and returns 0. O(events log events).
std::size_t applyEdit(const Trace& trace, const CureEdit& edit, Estimate estimate, ReplayGraph& graph);

} // namespace warpline
