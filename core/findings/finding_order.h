#pragma once

#include "core/findings/rule.h"

#include <algorithm>
#include <span>
#include <vector>

namespace warpline {

/// A saving is worth being read first from this share of what was recorded; savings of programs with steps
/// count by their steps, which a longer run has more of.
inline constexpr double minFirstSaving = 0.02;

/// What `finding` counts by: what its fix is expected to save where that is shown, see showsExpected(); else
/// the bound.
inline Ns weightOf(const Finding& finding)
{
    return showsExpected(finding) ? finding.expected->expected : finding.saving;
}

/// The one order of findings, which lists, headlines and files share: by place, then the most severe first;
/// of those what saves most, see weightOf(). Where little matters, what is paid once has its place
/// among savings by its length: microseconds saved do not stand before seconds that are paid once.
inline bool ranksHigher(const Finding& a, const Finding& b)
{
    if (a.place != b.place)
        return a.place < b.place;
    if (a.severity != b.severity)
        return a.severity > b.severity;
    const bool isMinor = a.severity <= Severity::Low;
    const auto shown = [&](const Finding& of) { return isMinor && of.saving <= 0 ? of.once : weightOf(of); };
    const Ns ofA = shown(a);
    const Ns ofB = shown(b);
    return ofA != ofB ? ofA > ofB : a.saving != b.saving ? a.saving > b.saving : a.once > b.once;
}

/// Sets Finding::place of all `findings` of `window`, and sorts them by ranksHigher(). That the problem is
/// too small for its GPU comes before all else. Where the host works alone for three tenths of `window` and
/// none could save minFirstSaving of it, or for half of it and none a tenth, that work of the host comes
/// next; both give way to what is of medium severity or more where they are no more than possible. Then comes
/// what saves ten times as much as all that is sure, though in doubt. Of low severity what saves next to
/// nothing beside the largest comes after the others, as do credentials that the report carries, whatever
/// their severity: they are no matter of time.
void rankFindings(std::vector<Finding>& findings, TimeRange window);

/// True when none of `findings` could save minFirstSaving of `window`.
bool isNothingLarge(std::span<const Finding> findings, TimeRange window);

/// What to read first of `findings`, as rankFindings() ranks them: at most `count` of them, from the front.
/// What saves little beside the largest, or costs nothing, is left out.
std::vector<const Finding*> leadingFindings(std::span<const Finding> findings, std::size_t count);

} // namespace warpline
