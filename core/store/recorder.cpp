#include "core/store/recorder.h"

#include "core/base/words.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::string_view recordedBy = "Recorded by";
constexpr std::string_view rankName = "Rank";
constexpr std::string_view ranksName = "Ranks";
constexpr std::string_view rankSource = "Rank found by";
constexpr std::string_view pytorch = "torch.profiler";
constexpr std::string_view other = "another program";

std::int64_t numberIn(std::string_view text)
{
    return wholeNumber<std::int64_t>(text).value_or(-1);
}

} // namespace

bool isProfilersOwn(std::string_view overhead)
{
    static constexpr std::array<std::string_view, 5> others{"dl", "Lazy Function Loading",
        "Runtime Triggered Module Loading", "Driver Compiler", "Command Buffer Full"};
    return overhead != missingName
        && std::ranges::none_of(others, [&](std::string_view name) { return overhead.starts_with(name); });
}

std::string_view valueOfFact(
    const std::vector<std::pair<std::string, std::string>>& facts, std::string_view name)
{
    const auto found = std::ranges::find(facts, name, [](const auto& fact) { return fact.first; });
    return found != facts.end() ? std::string_view(found->second) : std::string_view();
}

std::string_view captureFact(const ReportInfo& info, std::string_view name)
{
    return valueOfFact(info.capture, name);
}

std::string_view exportSetting(const ReportInfo& info, std::string_view name)
{
    return valueOfFact(info.exported, name);
}

Recorder recorderOf(const ReportInfo& info)
{
    const std::string_view by = captureFact(info, recordedBy);
    return by == pytorch ? Recorder::PyTorchProfiler
        : by.empty()     ? Recorder::NsightSystems
                         : Recorder::OtherTracer;
}

void setRecorder(ReportInfo& info, Recorder recorder, std::string_view name)
{
    std::erase_if(info.capture, [](const auto& fact) { return fact.first == recordedBy; });
    if (recorder != Recorder::NsightSystems)
        info.capture.emplace_back(recordedBy,
            !name.empty()                               ? name
                : recorder == Recorder::PyTorchProfiler ? pytorch
                                                        : other);
}

ReportRank rankOf(const ReportInfo& info)
{
    return {numberIn(captureFact(info, rankName)), numberIn(captureFact(info, ranksName)),
        std::string(captureFact(info, rankSource))};
}

void setRank(ReportInfo& info, const ReportRank& rank)
{
    if (rank.rank < 0)
        return;
    info.capture.emplace_back(rankName, std::to_string(rank.rank));
    if (rank.ranks > 0)
        info.capture.emplace_back(ranksName, std::to_string(rank.ranks));
    info.capture.emplace_back(rankSource, rank.foundBy);
}

} // namespace warpline
