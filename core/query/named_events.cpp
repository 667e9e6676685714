#include "core/query/named_events.h"

#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/filter/event_predicate.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

/// A stretch of a table's events.
struct Run {
    EventIndex first = 0;
    EventIndex last = 0;
};

constexpr EventIndex longestRun = 1U << 18U;

/// The runs of events that `query` covers, undivided.
std::vector<Run> placesOf(const EventTable& table, const NamedQuery& query)
{
    const auto onGpu = [&](const Track& track) { return isRecordedOnGpu(query.kind, track); };
    const bool apart = query.recordedOnGpu || std::ranges::any_of(table.tracks, onGpu);
    if (!apart && query.window.empty())
        return {{0, static_cast<EventIndex>(table.size())}};
    std::vector<Run> places;
    for (const Track& track : table.tracks) {
        if (apart && onGpu(track) != query.recordedOnGpu)
            continue;
        for (const Lane& lane : table.lanesOf(track)) {
            const auto [first, last] = query.window.empty() ? std::pair(lane.first, lane.first + lane.count)
                                                            : table.touching(lane, query.window);
            places.push_back({first, last});
        }
    }
    return places;
}

std::vector<Run> runsOf(const EventTable& table, const NamedQuery& query)
{
    std::vector<Run> runs;
    for (auto [first, last] : placesOf(table, query)) {
        for (; first < last; first += std::min(longestRun, last - first))
            runs.push_back({first, first + std::min(longestRun, last - first)});
    }
    return runs;
}

/// Whether an event is asked for.
class Wanted {
public:
    Wanted(const Trace& trace, const NamedQuery& query, const std::stop_token& stop)
        : m_table(trace.table(query.kind)),
          m_query(query)
    {
        const FilterExpression filter(query.filter);
        if (!filter.passesAll())
            m_predicate.emplace(trace, filter, stop);
        if (query.kind == EventKind::Kernel && query.form != NameForm::Full)
            findForms(trace, stop);
        m_anyDuration = query.least <= 0 && query.most == std::numeric_limits<Ns>::max();
    }

    bool operator()(EventIndex i) const
    {
        if (m_query.kind == EventKind::Kernel && m_query.form == NameForm::Short) {
            if (m_launches[m_table.attribute[i]] == 0)
                return false;
        } else if (m_query.kind == EventKind::Kernel && m_query.form == NameForm::Label) {
            if (m_names[raw(m_table.name[i])] != called)
                return false;
        } else if (m_query.name && m_table.name[i] != *m_query.name) {
            return false;
        }
        if (!m_anyDuration && (m_table.duration[i] < m_query.least || m_table.duration[i] > m_query.most))
            return false;
        return !m_predicate || (*m_predicate)({m_query.kind, i});
    }

    /// Whether nothing but a name is asked for: then counting first costs less than memory that grows.
    bool isNameAlone() const
    {
        return m_query.name && m_launches.empty() && m_names.empty() && m_anyDuration && !m_predicate;
    }

private:
    static constexpr std::uint8_t called = 2; ///< 1: examined, another name

    void findForms(const Trace& trace, const std::stop_token& stop)
    {
        if (m_query.form == NameForm::Short) {
            for (const KernelLaunch& launch : trace.kernels().launches)
                m_launches.push_back(m_query.name && launch.shortName == *m_query.name ? 1 : 0);
            return;
        }
        m_names.resize(trace.pool->size());
        for (const EventIndex i : stoppable(EventIndex{0}, static_cast<EventIndex>(m_table.size()), stop)) {
            std::uint8_t& known = m_names[raw(m_table.name[i])];
            if (known == 0)
                known = trace.displayName({EventKind::Kernel, i}) == m_query.label ? called : 1;
        }
    }

    const EventTable& m_table;
    const NamedQuery& m_query;
    std::optional<EventPredicate> m_predicate;
    std::vector<std::uint8_t> m_launches; ///< with NameForm::Short, by launch
    std::vector<std::uint8_t> m_names; ///< with NameForm::Label, by StringId
    bool m_anyDuration = true;
};

} // namespace

NamedQuery namedAs(const Trace& trace, EventRef event, NameForm form)
{
    NamedQuery query;
    query.kind = event.kind;
    if (!event.valid() || event.index >= trace.table(event.kind).size())
        return query;
    query.name = trace.table(event.kind).name[event.index];
    query.recordedOnGpu = isRecordedOnGpu(event.kind, trace.track(trace.trackOf(event)));
    if (event.kind == EventKind::Kernel && form == NameForm::Short)
        query.name = trace.kernels().launch(event.index).shortName;
    else if (event.kind == EventKind::Kernel && form == NameForm::Label)
        query.label = trace.displayName(event);
    else
        return query;
    query.form = form;
    return query;
}

namespace {

/// Calls `each(r)` for the runs in parallel.
template <typename Each> void overRuns(const std::vector<Run>& runs, const std::stop_token& stop, Each&& each)
{
    std::size_t all = 0;
    for (const Run& run : runs)
        all += run.last - run.first;
    const std::size_t threads = std::min(threadsFor(all), std::max<std::size_t>(1, runs.size()));
    inParallel(threads, runs.size(), [&](std::size_t, std::size_t first, std::size_t last) {
        for (const std::size_t r : stoppable(first, last, stop)) {
            throwIfStopped(stop);
            each(r);
        }
    });
}

/// Branch-free, because matches are unpredictable.
std::vector<EventIndex> eventsCalled(
    const EventTable& table, StringId name, const std::vector<Run>& runs, const std::stop_token& stop)
{
    std::vector<std::size_t> begins(runs.size() + 1);
    overRuns(runs, stop, [&](std::size_t r) {
        std::uint32_t count = 0;
        for (EventIndex i = runs[r].first; i < runs[r].last; ++i)
            count += table.name[i] == name ? 1 : 0;
        begins[r + 1] = count;
    });
    for (std::size_t r = 0; r < runs.size(); ++r)
        begins[r + 1] += begins[r];
    std::vector<EventIndex> events(
        begins.back() + 1); // one more: every event is written, if only for a moment
    overRuns(runs, stop, [&](std::size_t r) {
        EventIndex* out = events.data() + begins[r];
        const EventIndex* const end = events.data() + begins[r + 1];
        for (EventIndex i = runs[r].first; i < runs[r].last && out < end; ++i) {
            *out = i;
            out += table.name[i] == name ? 1 : 0;
        }
    });
    events.pop_back();
    return events;
}

} // namespace

std::vector<EventIndex> eventsOf(const Trace& trace, const NamedQuery& query, const std::stop_token& stop)
{
    const EventTable& table = trace.table(query.kind);
    const std::vector<Run> runs = runsOf(table, query);
    const Wanted wanted(trace, query, stop);
    if (wanted.isNameAlone())
        return eventsCalled(table, *query.name, runs, stop);
    std::vector<std::vector<EventIndex>> found(runs.size());
    overRuns(runs, stop, [&](std::size_t r) {
        for (EventIndex i = runs[r].first; i < runs[r].last; ++i) {
            if (wanted(i))
                found[r].push_back(i);
        }
    });
    std::vector<EventIndex> events;
    for (const auto& part : found)
        events.insert(events.end(), part.begin(), part.end());
    return events;
}

Ns totalDuration(const Trace& trace, const NamedQuery& query)
{
    const EventTable& table = trace.table(query.kind);
    Ns total = 0;
    for (const Run& place : placesOf(table, query))
        total += table.durationSum(place.first, place.last);
    return total;
}

} // namespace warpline
