#pragma once

#include "core/across/judging.h"

#include <span>
#include <string_view>
#include <vector>

namespace warpline {

/// Looks for one pattern across ranks. Its words stand beside its code.
struct AcrossRule {
    std::string_view id; ///< "late_rank": in JSON and links
    Literal remedyKey;
    Literal remedy; ///< what to do, where a finding says nothing of its own
    std::vector<AcrossFinding> (*check)(const Judging&);
};

/// All of them. The list is in across_rules.cpp and nowhere else.
std::span<const AcrossRule* const> allAcrossRules();

/// What all rules find, by severity, then saving.
std::vector<AcrossFinding> findingsAcross(const Judging& judging);

/// High, medium or low by the share that `saving` has of the judged steps; see severityOf() of single
/// reports.
Severity severityAcross(const Judging& judging, Ns saving);
/// The length of the steps that the verdict is about; without steps from the first exchange to the last.
Ns measuredAcross(const Judging& judging);

} // namespace warpline
