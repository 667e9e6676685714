#include "core/query/event_list.h"

#include "core/base/parallel.h"
#include "core/base/radix_sort.h"
#include "core/base/read_real.h"
#include "core/base/stop.h"
#include "core/filter/event_predicate.h"
#include "core/query/event_text.h"
#include "core/store/attributes.h"
#include "core/store/payload_fields.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <ranges>
#include <tuple>
#include <utility>

namespace warpline {

namespace {

std::size_t eventsInside(const Trace& trace, std::span<const TrackRef> tracks, TimeRange window)
{
    std::size_t events = 0;
    for (const TrackRef& ref : tracks) {
        for (const Lane& lane : trace.table(ref.kind).lanesOf(trace.track(ref))) {
            const auto [first, last] = trace.table(ref.kind).touching(lane, window);
            events += last - first;
        }
    }
    return events;
}

} // namespace

EventList::EventList(std::shared_ptr<const Trace> trace, const EventQuery& query, const std::stop_token& stop)
    : m_trace(std::move(trace)),
      m_column(query.column),
      m_measure(query.measure),
      m_descending(query.descending)
{
    if (m_column == EventColumn::Name)
        rankNames();
    if (m_column == EventColumn::Category || m_column == EventColumn::Payload)
        rankAttributes(query.field);
    try {
        collect(query, stop);
    } catch (const Stopped&) {
        return;
    }
    if (stop.stop_requested())
        return;
    sort(stop);
}

void EventList::sort(const std::stop_token& stop)
{
    const std::size_t count = m_events.size();
    const std::size_t threads = threadsFor(count);
    struct Bounds {
        std::int64_t low = std::numeric_limits<std::int64_t>::max();
        std::int64_t high = std::numeric_limits<std::int64_t>::min();
    };
    std::vector<Bounds> bounds(threads);
    std::vector<std::uint64_t> keyed(count);
    inParallel(threads, count, [&](std::size_t thread, std::size_t first, std::size_t last) {
        Bounds of;
        for (std::size_t i = first; i < last; ++i) {
            const std::int64_t key = keyOf(m_events[i]);
            keyed[i] = static_cast<std::uint64_t>(key);
            of.low = std::min(of.low, key);
            of.high = std::max(of.high, key);
        }
        bounds[thread] = of;
    });
    Bounds all;
    for (const Bounds& of : bounds)
        all = {std::min(all.low, of.low), std::max(all.high, of.high)};
    // Events are collected in order, so sorting by key and then by index is stable. Packed into one number,
    // they sort without access to the events.
    const auto low = static_cast<std::uint64_t>(all.low);
    const auto placeBits = static_cast<unsigned>(std::bit_width(count));
    const auto keyBits
        = count > 0 ? static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(all.high) - low)) : 0;
    if (!std::ranges::is_sorted(m_events) || keyBits + placeBits > 64) {
        sortByComparing();
        return;
    }
    inParallel(threads, count, [&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            keyed[i] = (keyed[i] - low) << placeBits | i;
    });
    radixSort(keyed, placeBits, placeBits + keyBits, stop);
    if (stop.stop_requested())
        return;
    const std::vector<EventRef> collected = m_events;
    inParallel(threads, count, [&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            m_events[i] = collected[keyed[i] & ((std::uint64_t{1} << placeBits) - 1)];
    });
}

void EventList::sortByComparing()
{
    // Keys stored with the events: comparing needs no table access.
    std::vector<std::pair<std::int64_t, EventRef>> keyed;
    keyed.reserve(m_events.size());
    for (const EventRef& event : m_events)
        keyed.emplace_back(keyOf(event), event);
    if (!std::ranges::is_sorted(keyed))
        std::ranges::sort(keyed);
    std::ranges::copy(keyed | std::views::values, m_events.begin());
}

void EventList::collect(const EventQuery& query, const std::stop_token& stop)
{
    std::vector<TrackRef> tracks = query.tracks;
    if (tracks.empty()) {
        for (const EventKind kind : allEventKinds()) {
            for (std::uint32_t t = 0; t < m_trace->table(kind).tracks.size() && !isDerived(kind); ++t)
                tracks.push_back({kind, t});
        }
    }
    const FilterExpression filter(query.text);
    const EventPredicate match(*m_trace, filter, stop);
    m_gaveUp = match.isExhausted();
    const bool plain = filter.passesAll() && !query.name && query.minDuration <= 0
        && query.maxDuration == std::numeric_limits<Ns>::max();
    if (!std::ranges::is_sorted(tracks))
        std::ranges::sort(tracks); // events in their order are faster to sort
    if (plain)
        m_events.reserve(eventsInside(*m_trace, tracks, query.window));
    for (const TrackRef& ref : tracks) {
        const EventTable& table = m_trace->table(ref.kind);
        const Track& track = table.tracks[ref.track];
        if ((query.kind && *query.kind != ref.kind) || !match.mayPass(ref.kind)
            || (query.process != 0 && processOf(track.owner) != query.process))
            continue;
        for (const Lane& lane : table.lanesOf(track)) {
            if (stop.stop_requested())
                return;
            const auto [first, last] = table.touching(lane, query.window);
            m_total += plain ? table.durationSum(first, last) : 0;
            for (EventIndex i = first; i < last; ++i) {
                if (i % stepsBetweenStops == 0 && stop.stop_requested())
                    return;
                if (!plain) {
                    const Ns duration = table.duration[i];
                    if (duration < query.minDuration || duration > query.maxDuration
                        || (query.name && table.name[i] != *query.name) || !match({ref.kind, i}))
                        continue;
                    m_total += duration;
                }
                m_events.push_back({ref.kind, i});
            }
        }
    }
}

void EventList::rankNames()
{
    const auto names = static_cast<std::uint32_t>(m_trace->pool->size());
    std::vector<std::string_view> shown(std::size_t{2} * names);
    for (std::uint32_t i = 0; i < names; ++i)
        shown[i] = m_trace->text(StringId{i});
    const EventTable& kernels = m_trace->kernels(); // shown by their labels, of which equal ones rank alike
    for (EventIndex i = 0; i < kernels.size(); ++i) {
        if (std::string_view& label = shown[names + raw(kernels.name[i])]; label.empty())
            label = m_trace->displayName({EventKind::Kernel, i});
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < shown.size(); ++i) {
        if (!shown[i].empty())
            order.push_back(i);
    }
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return shown[i]; });
    m_nameRank.resize(shown.size()); // 0: no name
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        rank += i == 0 || shown[order[i - 1]] != shown[order[i]] ? 1 : 0;
        m_nameRank[order[i]] = rank;
    }
}

void EventList::rankAttributes(StringId field)
{
    // Nothing first, then numbers by value, then texts.
    using Key = std::tuple<int, double, std::string>;
    const std::vector<NvtxAttributes>& attributes = m_trace->nvtx().attributes;
    std::vector<Key> keys(attributes.size());
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        std::string text;
        if (m_column == EventColumn::Category) {
            text = categoryText(*m_trace, attributes[i]);
        } else if (auto found
            = findPayloadField(m_trace->text(attributes[i].payload), m_trace->text(field))) {
            text = std::move(found->value);
        }
        double number = 0;
        const auto [end, error] = readReal(text, number);
        const bool isNumber = error == std::errc() && end == text.data() + text.size() && !std::isnan(number);
        if (isNumber)
            keys[i] = {1, number, std::move(text)};
        else if (!text.empty())
            keys[i] = {2, 0, std::move(text)};
    }
    std::vector<std::uint32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t i) -> const Key& { return keys[i]; });
    m_attributeRank.resize(keys.size());
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Key& key = keys[order[i]];
        if (std::get<0>(key) == 0)
            continue; // rank 0, as events that have no payload at all
        rank += i == 0 || keys[order[i - 1]] != key ? 1 : 0;
        m_attributeRank[order[i]] = rank;
    }
}

std::int64_t EventList::keyOf(EventRef event) const
{
    const EventTable& table = m_trace->table(event.kind);
    std::int64_t key = 0;
    switch (m_column) {
    case EventColumn::Name: {
        const std::size_t labels = event.kind == EventKind::Kernel ? m_nameRank.size() / 2 : 0;
        key = m_nameRank[labels + raw(table.name[event.index])];
        break;
    }
    case EventColumn::Start:
        key = table.start[event.index];
        break;
    case EventColumn::Duration:
        key = table.duration[event.index];
        break;
    case EventColumn::Where:
        key = static_cast<std::int64_t>(indexOf(event.kind)) << 32 | table.trackIndexOf(event.index);
        break;
    case EventColumn::Process:
        key = static_cast<std::int64_t>(table.trackOf(event.index).owner);
        break;
    case EventColumn::Stream:
        key = table.trackOf(event.index).stream;
        break;
    case EventColumn::Bytes:
        key = table.bytes.empty() ? -1 : static_cast<std::int64_t>(table.bytes[event.index]);
        break;
    case EventColumn::Kind:
        key = static_cast<std::int64_t>(indexOf(event.kind)) * 2
            + (isRecordedOnGpu(event.kind, table.trackOf(event.index)) ? 1 : 0);
        break;
    case EventColumn::Category:
    case EventColumn::Payload:
        if (event.kind == EventKind::NvtxProjected)
            key = m_attributeRank[m_trace->nvtx().attribute[rangeProjectedBy(*m_trace, event.index)]];
        else if (event.kind == EventKind::Nvtx)
            key = m_attributeRank[table.attribute[event.index]];
        break;
    case EventColumn::Measure: {
        // Bits of floats above 0 ascend as the numbers do.
        const auto number = static_cast<float>(m_measure ? m_measure->of(*m_trace, event) : -1);
        key = number >= 0 ? std::bit_cast<std::int32_t>(number + 0.0F) : -1;
        break;
    }
    }
    return m_descending ? ~key : key; // the reverse order; -key does not exist for the smallest number
}

std::size_t EventList::rowOf(EventRef event) const
{
    if (!m_trace || !event.valid() || event.index >= m_trace->table(event.kind).size())
        return size();
    const std::int64_t key = keyOf(event);
    const auto before = [&](const EventRef& a, const EventRef& b) {
        const std::int64_t left = a == event ? key : keyOf(a);
        const std::int64_t right = b == event ? key : keyOf(b);
        return left != right ? left < right : a < b;
    };
    const auto at = std::lower_bound(m_events.begin(), m_events.end(), event, before);
    return at != m_events.end() && *at == event ? static_cast<std::size_t>(at - m_events.begin()) : size();
}

} // namespace warpline
