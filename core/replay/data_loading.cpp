#include "core/replay/data_loading.h"

#include "core/base/words.h"
#include "core/coverage/intervals.h"
#include "core/steps/step_names.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <string>

namespace warpline {

namespace {

constexpr std::array<std::string_view, 14> loadingWords{"dataload", "data_load", "data load", "loaddata",
    "load_data", "load data", "next_batch", "get_batch", "data_wait", "batch-generator",
    "next(data_iterator)", "collate", "tokenize(", "[dali]"};
constexpr std::array<std::string_view, 4> loadingNames{"load", "loader", "loading", "fetch"};
constexpr std::array<std::string_view, 4> dataWords{"data", "batch", "input", "sample"};
constexpr std::array<std::string_view, 4> fetchWords{"loading", "read", "reading", "reader"};

} // namespace

bool isDataLoading(std::string_view name)
{
    const auto is
        = [&](std::string_view word) { return name.size() == word.size() && containsWord(name, word); };
    if (std::ranges::any_of(loadingNames, is))
        return true;
    const auto holds = [&](std::string_view word) { return containsWord(name, word); };
    if (std::ranges::any_of(loadingWords, holds))
        return true;
    if (!std::ranges::any_of(dataWords, holds))
        return false;
    // Whole words only: an "InputThread" loads nothing.
    return std::ranges::any_of(wordsOf(name), [](const std::string& word) {
        return word.ends_with("fetch") || word.starts_with("preproc")
            || std::ranges::find(fetchWords, word) != fetchWords.end();
    });
}

PackedIntervals dataLoadingTimes(const Trace& trace, GlobalId thread, const std::stop_token& stop)
{
    const NvtxTable& nvtx = trace.nvtx();
    OncePerName loads([&](StringId name) { return isDataLoading(trace.text(name)); });
    std::vector<TimeRange> ranges;
    for (const Track& track : nvtx.tracks) {
        if (track.device >= 0 || track.owner != thread)
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            if (loads(nvtx.name[i]) && nvtx.duration[i] > 0)
                ranges.push_back(nvtx.range(i));
        }
    }
    return unionOf(std::move(ranges), allTime, stop);
}

PackedIntervals dataLoadingTimes(
    const Trace& trace, std::span<const GlobalId> threads, const std::stop_token& stop)
{
    PackedIntervals all;
    for (const GlobalId thread : threads)
        all = united(all, dataLoadingTimes(trace, thread, stop));
    return all;
}

} // namespace warpline
