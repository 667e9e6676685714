#pragma once

#include "core/findings/rule.h"

#include <algorithm>
#include <span>
#include <vector>

namespace warpline {

/// The minimum share of the recorded time for a saving to be listed first. Programs with steps count by their
/// steps, of which a longer run has more.
inline constexpr double minFirstSaving = 0.02;

/// The weight of `finding`: its expected saving where that is shown, see showsExpected(); else the bound.
inline Ns weightOf(const Finding& finding)
{
    return showsExpected(finding) ? finding.expected->expected : finding.saving;
}

/// The order of findings in all lists, headlines and files: by place, then severity, then weightOf(). Where
/// all savings are small, one-time costs rank among them by their length: saved microseconds do not come
/// before one-time seconds.
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

/// Sets Finding::place of all `findings` of `window`, and sorts them by ranksHigher(). A problem that is too
/// small for its GPU comes first. Next comes host-only work: of 30% of `window` when no saving reaches
/// minFirstSaving of it, or of 50% when none reaches a tenth. Both give way to findings of at least medium
/// severity when they are only possible. Next comes an uncertain saving ten times as large as all certain
/// ones. Among low severity, tiny savings come last. So do credentials in the report, whatever their
/// severity, because they are not about time.
void rankFindings(std::vector<Finding>& findings, TimeRange window);

/// True when none of `findings` could save minFirstSaving of `window`.
bool isNothingLarge(std::span<const Finding> findings, TimeRange window);

/// The findings to read first, from the front of `findings` as rankFindings() sorted them: at most `count`.
/// Leaves out savings that are small compared with the largest, and findings without a cost.
std::vector<const Finding*> leadingFindings(std::span<const Finding> findings, std::size_t count);

} // namespace warpline
