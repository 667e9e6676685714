#include "core/analysis/first_launches.h"

#include "core/derive/kept_answers.h"
#include "core/steps/step_names.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace warpline {

namespace {

/// The start of the first kernel of each process and name, for the wanted names.
class FirstStarts {
public:
    FirstStarts(const Trace& trace, const std::vector<EventIndex>& launches)
        : m_kernels(trace.kernels()),
          m_places(trace.pool->size(), none)
    {
        for (const EventIndex call : launches) {
            trace.visitWork(call, [&](EventRef work) {
                if (work.kind != EventKind::Kernel)
                    return;
                std::uint32_t& place = m_places[raw(m_kernels.name[work.index])];
                if (place == none)
                    place = m_names++;
            });
        }
    }

    void look(const std::stop_token& stop)
    {
        for (const Track& track : m_kernels.tracks) {
            std::vector<Ns>& first = m_first[pidOf(track.owner)];
            first.resize(m_names, std::numeric_limits<Ns>::max());
            for (const EventIndex i : eventsOf(track, stop)) {
                if (const std::uint32_t place = m_places[raw(m_kernels.name[i])]; place != none)
                    first[place] = std::min(first[place], m_kernels.start[i]);
            }
        }
    }

    bool isFirst(EventIndex kernel) const
    {
        const auto ofProcess = m_first.find(pidOf(m_kernels.trackOf(kernel).owner));
        return ofProcess != m_first.end()
            && ofProcess->second[m_places[raw(m_kernels.name[kernel])]] == m_kernels.start[kernel];
    }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    const KernelTable& m_kernels;
    std::vector<std::uint32_t> m_places; ///< in m_first, by name: names are few
    std::uint32_t m_names = 0;
    std::map<std::uint32_t, std::vector<Ns>> m_first; ///< by pid
};

std::vector<EventIndex> findFirstLaunches(
    const Trace& trace, const CallKinds& kinds, const std::stop_token& stop)
{
    const EventTable& calls = trace.apiCalls();
    std::vector<EventIndex> launches;
    for (const EventIndex i : stoppable<EventIndex>(0, calls.size(), stop)) {
        if (calls.duration[i] >= slowLaunch && kinds[i] == CallKind::Launch)
            launches.push_back(i);
    }
    if (launches.empty())
        return launches;
    FirstStarts first(trace, launches);
    first.look(stop);
    std::erase_if(launches, [&](EventIndex call) {
        bool isFirst = false;
        bool isGraph = false; // whose code is loaded before its launch
        std::size_t works = 0;
        trace.visitWork(call, [&](EventRef work) {
            const bool isKernel = work.kind == EventKind::Kernel;
            isFirst = isFirst || (isKernel && first.isFirst(work.index));
            isGraph
                = isGraph || ++works > 1 || (isKernel && trace.kernels().launch(work.index).graphNodeId != 0);
        });
        return !isFirst || isGraph;
    });
    return launches;
}

} // namespace

std::vector<EventIndex> firstLaunches(const Trace& trace, const CallKinds& kinds, const std::stop_token& stop)
{
    static KeptAnswers<Links, std::vector<EventIndex>> kept;
    if (!trace.links)
        return findFirstLaunches(trace, kinds, stop);
    return *kept.of(trace.links, [&] { return findFirstLaunches(trace, kinds, stop); });
}

bool mayMakeContext(std::string_view call)
{
    return callKindOf(call) == CallKind::MakeContext || !call.starts_with("cu") || call.starts_with("cuda");
}

bool startsCompiler(std::string_view event)
{
    constexpr std::string_view loads = "dlopen(";
    if (!event.starts_with(loads))
        return bareCallName(event) == "cuInit";
    event.remove_prefix(loads.size());
    for (const std::string_view compiler :
        {"libnvvm", "libnvrtc", "libnvJitLink", "libnvidia-ptxjitcompiler"}) {
        if (event.substr(event.find_last_of('/') + 1).starts_with(compiler))
            return true;
    }
    return false;
}

bool isCompiling(std::string_view range)
{
    constexpr std::array<std::string_view, 3> negations{"no", "not", "without"};
    const auto isAnyOf = [](const auto& list, const std::string& word) {
        return std::ranges::find(list, word) != list.end();
    };
    const std::vector<std::string> words = wordsOf(range);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool isNegated = i > 0 && isAnyOf(negations, words[i - 1]);
        const bool isTime = i + 1 < words.size() && words[i + 1] == "time"; // a kind of constant
        if (isAnyOf(compileWords, words[i]) && !isNegated && !isTime)
            return true;
    }
    return false;
}

} // namespace warpline
