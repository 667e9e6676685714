#pragma once

#include "core/findings/checklist.h"
#include "core/findings/rule.h"

#include <string>

namespace warpline {

/// What the questions of the checklist are asked about.
struct ChecklistSubject {
    const RuleContext& context; ///< its window is `range`
    TimeRange range; ///< judgedRange()
    std::string basis; ///< what that is, in words: "over 28 steady steps (step_#)"
};

// The five questions. Each says what it judged and why, also where there is nothing to judge.
ChecklistAnswer isBusy(const ChecklistSubject& subject);
ChecklistAnswer areTransfersHidden(const ChecklistSubject& subject);
ChecklistAnswer areCollectivesHidden(const ChecklistSubject& subject);
ChecklistAnswer isFreeOfWaits(const ChecklistSubject& subject);
ChecklistAnswer areKernelsWhole(const ChecklistSubject& subject);

} // namespace warpline
