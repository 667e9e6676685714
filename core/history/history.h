#pragma once

#include "core/history/recording.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warpline {

// Recordings of one program over time: where the step time changed its level, and what changed there.

/// Recordings between two changes.
struct HistoryLevel {
    std::size_t first = 0; ///< place in History::recordings
    std::size_t end = 0;
    Ns median = 0; ///< median of the recordings' median steps
    Ns mean = 0; ///< median of their mean steps
};

/// The result of compareRuns() for the recordings on both sides of a change.
struct ChangeStory {
    bool comparable = false;
    CompareVerdict verdict = CompareVerdict::Unknown;
    Message sentence; ///< Comparison::sentence
    std::vector<Message> story; ///< Comparison::story
};

/// A change of the level of the step time.
struct HistoryChange {
    std::size_t at = 0; ///< the first recording of the new level
    CompareFigure figure = CompareFigure::Median; ///< which of the two changed
    Both<Ns> time; ///< the deciding value of the level before and after
    Ns noise = 0; ///< a difference up to this is none
    std::vector<BudgetLine> budget; ///< parts of the mean step, largest change first
    /// The recording on each side that is to be compared: of the five next to the change the one that is
    /// nearest to its level.
    Both<std::size_t> compared;
    std::optional<ChangeStory> story; ///< nothing until it was compared
    Message storyError; ///< why it could not be

    Ns delta() const { return time.b - time.a; }
    double share() const; ///< delta() of the level before
    CompareVerdict verdict() const { return delta() > 0 ? CompareVerdict::Slower : CompareVerdict::Faster; }
};

/// The newest recording against the others of its level: three recordings make a level of their own, and one
/// that is far off should be seen before.
struct NewestRecording {
    CompareVerdict verdict = CompareVerdict::Unknown; ///< Unknown: it is the only one
    CompareFigure figure = CompareFigure::Median;
    Both<Ns> time; ///< the level, and the recording
    Ns noise = 0; ///< of the recordings and of their steps, as Comparison::noise
    double share() const;
    double noisePercent() const; ///< of the level
};

struct History {
    std::vector<Recording> recordings; ///< in order of time
    std::vector<bool> outliers; ///< of each recording, whether it is far from its level
    std::vector<HistoryLevel> levels; ///< at least one, unless there is no recording
    std::vector<HistoryChange> changes; ///< between two levels each: one less
    NewestRecording newest;
    Message sentence; ///< the whole in one or two sentences; never empty

    /// Whether the newest level is slower than the one before it, or the newest recording slower than its
    /// level, by more than `percent`.
    bool isRegression(double percent) const;
};

/// A recording that does not belong to the others.
struct StrangeRecording {
    std::string file;
    Message reason; ///< a sentence: "It records decode.py, but the history is of train.py."
    bool isCopy = false; ///< a copy or a part of another recording, which is not an error
};

/// Removes from `recordings` those of another program, on other GPUs or with other steps than most, and
/// repeated entries of one recording: copies, and parts of it. `areStepsNamed`: the user named the ranges
/// that are steps, so that recordings with such steps stay, however few they are.
std::vector<StrangeRecording> takeStrangers(std::vector<Recording>& recordings, bool areStepsNamed = false);

/// Sorts the recordings by time, then name, and finds the levels: changes by levelChange() of the medians and
/// of the means that exceed recordingNoise() of the recordings around them. `runNoise` as in CompareRequest.
/// O(n log^2 n), times the candidate changes.
History historyOf(std::vector<Recording> recordings, double runNoise = assumedRunNoise);

/// Compares the two recordings of a change, which are given as they were recorded.
ChangeStory storyOfChange(const SideReport& before, const SideReport& after, const std::string& stepGlob,
    double runNoise, const std::stop_token& stop = {});

} // namespace warpline
