#pragma once

#include "core/cache/archive.h"
#include "core/compare/compare_runs.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The source of a recording's time.
enum class RecordedBy : std::uint8_t {
    Report, ///< the report itself
    File, ///< nothing but the time at which the file was changed last
};
std::string_view keyOf(RecordedBy by); ///< "report", "file"

/// A part of the mean step of a recording; together they are the mean step.
struct RecordedPart {
    std::string id; ///< BudgetPart::id
    GpuApi api = GpuApi::Cuda;
    BudgetGroup group = BudgetGroup::Idle;
    Ns time = 0;
    IdleCause cause = IdleCause::NoWork; ///< of group Idle

    /// The id of the same time in a recording without NVTX ranges.
    std::string idWithoutRanges() const;
    Message name() const { return nameOfPart(id, api); }
    Message title() const { return titleOfPart(group, name()); }
};

/// Data of one recording for a history, measured like a side of a comparison, see measureSide().
struct Recording {
    std::string file;
    Ns started = 0; ///< UTC, since 1970
    RecordedBy startedBy = RecordedBy::File;
    TimeRange session; ///< of the whole recording
    bool isPart = false; ///< of that recording
    bool lacksWork = false; ///< see lacksWork(); not archived: Keeper of cli_history keeps no such recording
    std::vector<Message> notes; ///< why it is not of a whole recording, see incompleteNotes()
    std::string program; ///< "train.py (python3)"; empty: unknown
    std::string gpus; ///< "2 x NVIDIA H200"; without the model where the report does not name it
    std::string pattern; ///< of the steps; empty: the whole, from the first to the last GPU work
    std::size_t steps = 0; ///< that count; 0: no GPU work
    Ns median = 0; ///< of the steps
    Ns mean = 0;
    StepSpread spread; ///< of the steps
    bool hasRanges = false; ///< NVTX ranges, which name idle time
    std::vector<RecordedPart> parts; ///< by id

    /// Time of the mean step in `group`.
    Ns timeIn(BudgetGroup group) const;
    /// Time of the mean step for pages of unified memory, which timeIn() of Copies contains.
    Ns timeOfPages() const;
    /// Time of the mean step in which GPUs idle for the host.
    Ns idleForHost() const;
};

/// Measures the recording in `report`; `stepGlob` as in SideRequest. Throws Stopped when `stop` is requested.
Recording recordingOf(
    const SideReport& report, const std::string& stepGlob, const std::stop_token& stop = {});

/// All of `recording` but its file, for KeptAnswers.
void writeRecording(ArchiveWriter& archive, const Recording& recording);
void readRecording(ArchiveReader& archive, Recording& recording);

} // namespace warpline
