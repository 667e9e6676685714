#pragma once

#include <QString>

#include <cstdint>

namespace warpline {

class Trace;

/// What the recording is for.
enum class RecordGoal : std::uint8_t { Time, Ranks, Memory, Kernel };
/// The recorder.
enum class RecordTool : std::uint8_t { Nsys, Torch };
/// How the program is started.
enum class RecordLauncher : std::uint8_t { Direct, Slurm, Mpirun, Container };

/// Optional data beyond calls, ranges and GPU work; each costs time or space.
struct RecordExtras {
    bool metrics = false; ///< GPU metrics
    bool memory = false; ///< GPU memory in use
    bool graphNodes = false; ///< each kernel of a CUDA graph
    bool stacks = false; ///< CPU samples and thread states; in PyTorch Python functions
    bool operator==(const RecordExtras&) const = default;
};

/// The data that `goal` needs.
RecordExtras extrasFor(RecordGoal goal);
/// The part of it that `trace` lacks; for graphs only if some were traced as a whole.
RecordExtras extrasMissing(const Trace& trace);

struct RecordChoice {
    RecordGoal goal = RecordGoal::Time;
    RecordTool tool = RecordTool::Nsys;
    RecordLauncher launcher = RecordLauncher::Direct;
    RecordExtras extras;
    QString program; ///< the command; empty: "./program" or "python train.py"
};

/// Lines to paste that make a report which Warpline opens: for a terminal, of RecordTool::Torch first those
/// for the program.
QString recordCommand(const RecordChoice& choice);

} // namespace warpline
