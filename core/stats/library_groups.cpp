#include "core/stats/library_groups.h"

#include "core/stats/grouping.h"
#include "core/stats/summary_rows.h"
#include "core/store/trace.h"
#include "core/store/track_cursor.h"

#include <algorithm>
#include <unordered_set>

namespace warpline {

namespace {

/// Number of the source that `track` was read from; sources.size() for none.
std::size_t sourceOf(const Trace& trace, const Track& track, std::span<const LibrarySource> sources)
{
    const std::string_view table = trace.text(track.source);
    const auto found = std::ranges::find_if(sources, [&](const LibrarySource& source) {
        return source.table == table && (source.family.empty() || source.family == trace.text(track.family));
    });
    return static_cast<std::size_t>(found - sources.begin());
}

} // namespace

bool hasLibraryEvents(const Trace& trace, std::span<const LibrarySource> sources)
{
    return std::ranges::any_of(trace.table(EventKind::Library).tracks,
        [&](const Track& track) { return sourceOf(trace, track, sources) < sources.size(); });
}

std::vector<bool> tracksFrom(const Trace& trace, std::span<const LibrarySource> sources)
{
    std::vector<bool> from;
    for (const Track& track : trace.table(EventKind::Library).tracks)
        from.push_back(sourceOf(trace, track, sources) < sources.size());
    return from;
}

Cells librarySummary(const Trace& trace, const StatsQuery& query, std::span<const LibrarySource> sources,
    std::string countTitle, std::string nameTitle, bool withSource, bool withMarks,
    std::string_view sourceTitle)
{
    const LibraryCallTable& calls = trace.libraryCalls();
    std::vector<std::size_t> sourceOfTrack;
    for (const Track& track : calls.tracks)
        sourceOfTrack.push_back(sourceOf(trace, track, sources));
    Groups groups(query);
    TrackCursor tracks(calls);
    forEachEvent(calls, query, [&](EventIndex i) {
        const std::size_t source = sourceOfTrack[tracks.indexOf(i)];
        if (source >= sources.size() || (!withMarks && calls.duration[i] <= 0))
            return;
        for (std::uint64_t row = 0; row < calls.rowsOf(i); ++row)
            groups.add((withSource ? source << 32U : 0) | raw(calls.name[i]), calls.duration[i],
                {EventKind::Library, i});
    });
    groups.finish();
    SummaryLayout layout{std::move(countTitle), {std::move(nameTitle)}, {}};
    if (withSource)
        layout.labelTitles.insert(layout.labelTitles.begin(), std::string(sourceTitle));
    return summaryTable(groups, layout, [&](std::uint64_t key) {
        Labels labels{std::string(trace.text(static_cast<StringId>(key & 0xFFFFFFFFU)))};
        if (withSource)
            labels.insert(labels.begin(), std::string(sources[key >> 32U].label));
        return labels;
    });
}

Cells labelSummary(
    const Trace& trace, const StatsQuery& query, std::span<const LibrarySource> sources, bool withEmpty)
{
    const LibraryCallTable& calls = trace.libraryCalls();
    const std::vector<bool> asked = tracksFrom(trace, sources);
    std::vector<EventIndex> labels;
    forEachEvent(calls, query, [&](EventIndex i) {
        if ((withEmpty || calls.duration[i] > 0) && asked[calls.trackIndexOf(i)])
            labels.push_back(i);
    });
    if (withEmpty) {
        std::unordered_set<std::uint32_t> lasting;
        for (const EventIndex i : labels) {
            if (calls.duration[i] > 0)
                lasting.insert(raw(calls.name[i]));
        }
        std::erase_if(labels, [&](EventIndex i) { return !lasting.contains(raw(calls.name[i])); });
    }
    std::ranges::stable_sort(labels, {}, [&](EventIndex i) { return calls.start[i]; });
    Groups groups(query);
    for (const EventIndex i : labels)
        groups.add(raw(calls.name[i]), calls.duration[i], {EventKind::Library, i});
    groups.finish();
    SummaryLayout layout{"Instances", {"Range"}, {}};
    layout.asFound = true;
    return summaryTable(groups, layout,
        [&](std::uint64_t key) { return Labels{std::string(trace.text(static_cast<StringId>(key)))}; });
}

} // namespace warpline
