#pragma once

#include "core/across/judging.h"
#include "core/findings/rule.h"

#include <span>
#include <string_view>
#include <vector>

namespace warpline {

/// All rules across ranks. The list is in across_rules.cpp and nowhere else. One that sees what a rule of one
/// report sees has the id of that, and its words.
std::span<const Rule* const> allAcrossRules();
/// The rule across ranks with this id; nullptr: there is none.
const Rule* findAcrossRule(std::string_view id);

/// What all rules find, by severity, then saving.
std::vector<AcrossFinding> findingsAcross(const Judging& judging);

/// High, medium or low by the share that `saving` has of the judged steps; see severityOf() of single
/// reports.
Severity severityAcross(const Judging& judging, Ns saving);
/// The length of the steps that the verdict is about; without steps from the first exchange to the last.
Ns measuredAcross(const Judging& judging);

} // namespace warpline
