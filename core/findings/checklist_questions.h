#pragma once

#include "core/analysis/collectives.h"
#include "core/findings/checklist.h"
#include "core/findings/rule.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// Inputs of the checklist's questions.
struct ChecklistSubject {
    const RuleContext& context; ///< its window is `range`; of isFreeOfWaits() the whole one
    TimeRange range; ///< Scope::range
    Message basis; ///< Scope::basis: "over 28 steady steps (step_#)"
    const WaitsByGpu& knownWaits; ///< from the reports of other ranks
    const TrackFilter& covers; ///< the GPUs and threads that the checklist covers
    const RuleContext& whole; ///< over the whole window, in which the rules judge

    bool isAbout(GlobalId process, std::int32_t device) const { return passesGpu(covers, process, device); }
};

/// The covered GPUs with collectives.
std::vector<CollectiveWork> collectivesOf(const ChecklistSubject& subject);

/// Where communication waits while nothing computes, from the reports of other ranks or else its own: within
/// CollectiveWork::exposed.
Intervals exposedWaitingOf(const ChecklistSubject& subject, const CollectiveWork& gpu);
/// Whether only one rank's report is known, so that its wait is a lower bound.
bool isLeastWait(const ChecklistSubject& subject, const std::vector<CollectiveWork>& gpus);
/// Sets figure and percent: "93.4% computing", with the message key `of`.
void setFigure(ChecklistAnswer& answer, double share, std::string_view of);
/// False: the report has neither CUDA calls nor GPU work.
bool isCudaRecorded(const Trace& trace);
/// The answer without anything to analyze: NotApplicable because of `why` ("no kernel computes in this
/// range"; empty: the program launches no GPU work), or NotRecorded where CUDA was not recorded.
ChecklistAnswer nothingToJudge(const Trace& trace, ChecklistAnswer answer, Message why);

/// The findings of rule `id` in the window of `subject`.
std::vector<Finding> findingsOf(const ChecklistSubject& subject, std::string_view id);

// The five questions. Each names the analyzed time and the reason, also without data.
ChecklistAnswer isBusy(const ChecklistSubject& subject);
ChecklistAnswer areTransfersHidden(const ChecklistSubject& subject);
ChecklistAnswer areCollectivesHidden(const ChecklistSubject& subject);
ChecklistAnswer isFreeOfWaits(const ChecklistSubject& subject);
ChecklistAnswer areKernelsWhole(const ChecklistSubject& subject);

} // namespace warpline
