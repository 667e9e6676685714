#include "app/cli_nvtx.h"

#include "app/cli_usage.h"
#include "core/base/glob.h"
#include "core/base/near_names.h"
#include "core/render/render.h"
#include "core/stats/names.h"
#include "core/steps/steps.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpline::cli {

namespace {

/// The patterns of the names of all ranges, "step_*" for "step_3", the most frequent first.
std::vector<std::string> patternsOf(const Trace& trace)
{
    std::map<StringId, std::size_t> counts;
    for (const StringId name : trace.nvtx().name)
        ++counts[name];
    std::map<std::string, std::size_t> ranges;
    for (const auto& [name, count] : counts) {
        std::string pattern = withoutNumbers(trace.text(name));
        std::ranges::replace(pattern, '#', '*');
        ranges[pattern] += count;
    }
    std::vector<std::pair<std::size_t, std::string>> sorted;
    for (const auto& [pattern, count] : ranges)
        sorted.emplace_back(count, pattern);
    std::ranges::stable_sort(sorted, std::greater{}, [](const auto& each) { return each.first; });
    std::vector<std::string> patterns;
    for (auto& [count, pattern] : sorted)
        patterns.push_back(std::move(pattern));
    return patterns;
}

std::string withoutStars(std::string glob)
{
    std::erase_if(glob, [](char c) { return c == '*' || c == '?'; });
    return glob;
}

bool isNamed(const Trace& trace, const std::string& glob)
{
    const NvtxTable& nvtx = trace.nvtx();
    for (const Track& track : nvtx.tracks) { // of one domain
        std::set<StringId> seen; // few names, of very many ranges
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (seen.insert(nvtx.name[i]).second
                && (matchesGlob(trace.text(nvtx.name[i]), glob) || matchesGlob(nvtxName(trace, i), glob)))
                return true;
        }
    }
    return false;
}

} // namespace

std::string noSuchRange(const Trace& trace, const std::string& glob)
{
    if (isNamed(trace, glob))
        return {};
    constexpr std::size_t maxOffered = 3;
    std::vector<std::string> patterns = patternsOf(trace);
    if (patterns.empty())
        return plain(Message(
            "cli.no_ranges", "no NVTX range is named '{name}': the report has none", {{"name", Name{glob}}}));
    std::map<std::string, std::string> byLetters;
    std::vector<std::string> letters;
    for (const std::string& pattern : patterns) {
        letters.push_back(withoutStars(pattern));
        byLetters.try_emplace(letters.back(), pattern);
    }
    std::vector<std::string> near = nearNames(withoutStars(glob), letters, maxOffered);
    for (std::string& each : near)
        each = byLetters[each];
    if (!near.empty())
        return plain(Message("cli.no_range_near", "no NVTX range is named '{name}'{near}",
            {{"name", Name{glob}}, {"near", didYouMean(near)}}));
    patterns.resize(std::min(patterns.size(), maxOffered));
    return plain(
        Message("cli.no_range_named", "no NVTX range is named '{name}'; the most frequent names: {known}",
            {{"name", Name{glob}}, {"known", Name{commaList(patterns)}}}));
}

void requireRange(Answer& answer, const Trace& trace, const std::string& glob, const std::string& option)
{
    const std::string problem = glob.empty() ? std::string() : noSuchRange(trace, glob);
    if (!problem.empty())
        answer.refuse(ofOption(option, problem));
}

} // namespace warpline::cli
