#pragma once

#include "core/across/judging.h"
#include "core/findings/rule.h"

#include <span>
#include <string_view>
#include <vector>

namespace warpline {

/// All rules across ranks, listed only in across_rules.cpp. A rule that detects the same as a rule of single
/// reports has its id and its texts.
std::span<const Rule* const> allAcrossRules();
/// The rule across ranks with this id; nullptr: there is none.
const Rule* findAcrossRule(std::string_view id);

/// All rules that users can name: allRules(), then those across ranks that have no namesake there.
std::vector<const Rule*> namedRules();
/// The one of namedRules() with this id; nullptr: there is none.
const Rule* findNamedRule(std::string_view id);

/// The findings of all rules, by severity, then saving. Those about time have the severity of its share in
/// the analyzed steps, see severityFor().
std::vector<AcrossFinding> findingsAcross(const Judging& judging);

/// The length of the steps that the verdict is about; without steps from the first exchange to the last.
Ns measuredAcross(const Judging& judging);

} // namespace warpline
