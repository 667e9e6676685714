#pragma once

#include "core/analysis/collectives.h"
#include "core/findings/checklist.h"
#include "core/findings/rule.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// What the questions of the checklist are asked about.
struct ChecklistSubject {
    const RuleContext& context; ///< its window is `range`; of isFreeOfWaits() the whole one
    TimeRange range; ///< Scope::range
    Message basis; ///< Scope::basis: "over 28 steady steps (step_#)"
    const WaitsByGpu& knownWaits; ///< by the reports of other ranks
    const TrackFilter& covers; ///< the GPUs and threads that are asked about

    bool isAbout(GlobalId process, std::int32_t device) const { return passesGpu(covers, process, device); }
};

/// The GPUs with collectives that are asked about.
std::vector<CollectiveWork> collectivesOf(const ChecklistSubject& subject);

/// Where communication waits while nothing computes, by the reports of other ranks where they tell, else by
/// its own: within CollectiveWork::exposed.
Intervals exposedWaitingOf(const ChecklistSubject& subject, const CollectiveWork& gpu);
/// Whether only the report's one rank tells how long it waits: then that is the least.
bool isLeastWait(const ChecklistSubject& subject, const std::vector<CollectiveWork>& gpus);
/// Sets figure and percent: "93.4% computing", by the key `of`.
void setFigure(ChecklistAnswer& answer, double share, std::string_view of);
/// False: the report holds neither CUDA calls nor GPU work.
bool isCudaRecorded(const Trace& trace);
/// The answer where there is nothing to judge: NotApplicable since `why` ("no kernel runs in this range";
/// empty: the program launches no GPU work), or NotRecorded where nothing of CUDA was.
ChecklistAnswer nothingToJudge(const Trace& trace, ChecklistAnswer answer, Message why);

/// What rule `id` finds in the window of `subject`.
std::vector<Finding> findingsOf(const ChecklistSubject& subject, std::string_view id);

// The five questions. Each says what it judged and why, also where there is nothing to judge.
ChecklistAnswer isBusy(const ChecklistSubject& subject);
ChecklistAnswer areTransfersHidden(const ChecklistSubject& subject);
ChecklistAnswer areCollectivesHidden(const ChecklistSubject& subject);
ChecklistAnswer isFreeOfWaits(const ChecklistSubject& subject);
ChecklistAnswer areKernelsWhole(const ChecklistSubject& subject);

} // namespace warpline
