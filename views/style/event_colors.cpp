#include "views/style/event_colors.h"

#include "core/kernels/kernel_classes.h"
#include "core/store/attributes.h"
#include "views/style/name_colors.h"

#include <bit>
#include <map>
#include <tuple>

namespace warpline {

namespace {

/// NVTX colours come from the program and may be anything: keep the hue, keep it legible on the rows.
QColor tamed(QRgb argb, const Theme& theme)
{
    const QColor color = QColor::fromRgb(argb);
    const bool dark = theme.isDark();
    const int lightness = std::clamp(color.lightness(), dark ? 90 : 60, dark ? 190 : 170);
    return theme.visible(QColor::fromHsl(color.hslHue(), std::min(color.hslSaturation(), 190), lightness));
}

} // namespace

EventColors::EventColors(std::shared_ptr<const Trace> trace, const Theme& theme, ColorBy by, bool ownNvtx)
    : m_trace(std::move(trace)),
      m_theme(&theme),
      m_by(by),
      m_ownNvtx(ownNvtx)
{
    if (m_by == ColorBy::Stream)
        colorPlaces();
}

void EventColors::colorPlaces()
{
    // Streams in their order, then threads in theirs: neighbours on the screen get neighbouring colours of
    // the chart's, which differ most.
    using Place = std::tuple<bool, GlobalId, std::int32_t, std::int32_t, std::int32_t>;
    const auto placeOf = [](const Track& track) {
        return track.stream >= 0 ? Place(false, track.owner, track.device, track.context, track.stream)
                                 : Place(true, track.owner, -1, -1, -1);
    };
    std::map<Place, QRgb> colors;
    for (const EventKind kind : allEventKinds()) {
        for (const Track& track : m_trace->table(kind).tracks)
            colors.emplace(placeOf(track), 0);
    }
    std::size_t next = 0;
    for (auto& [place, color] : colors)
        color = m_theme->spreadColor(next++).rgb();
    for (const EventKind kind : allEventKinds()) {
        for (const Track& track : m_trace->table(kind).tracks)
            m_ofTracks[indexOf(kind)].push_back(colors.at(placeOf(track)));
    }
}

QRgb EventColors::operator()(EventRef event)
{
    if (m_by == ColorBy::Stream)
        return colorOfPlace(event);
    if (m_by == ColorBy::Duration)
        return colorOfDuration(event);
    // Copies differ by direction and NVTX by its own colour; all else has one colour a name.
    switch (event.kind) {
    case EventKind::Memcpy: {
        const MemcpyTable& copies = m_trace->memcpys();
        return remembered(m_ofCopies, copies.attribute[event.index], copies.copies.size(), event);
    }
    case EventKind::Nvtx:
        return colorOfNvtx(event.index);
    case EventKind::NvtxProjected:
        return colorOfNvtx(rangeProjectedBy(*m_trace, event.index));
    default:
        return colorByName(event);
    }
}

void EventColors::prefetch(EventRef event) const
{
    const EventTable& table = m_trace->table(event.kind);
    if (m_by == ColorBy::Stream)
        return;
    if (m_by == ColorBy::Duration) {
        table.duration.prefetch(event.index);
        return;
    }
    const bool byName = event.kind != EventKind::Memcpy && event.kind != EventKind::NvtxProjected;
    if (byName)
        __builtin_prefetch(table.name.data() + event.index);
    if (!byName || event.kind == EventKind::Nvtx)
        __builtin_prefetch(table.attribute.data() + event.index);
}

QRgb EventColors::colorOfPlace(EventRef event)
{
    return m_ofTracks[indexOf(event.kind)][m_trace->table(event.kind).trackIndexOf(event.index)];
}

QRgb EventColors::colorOfDuration(EventRef event)
{
    // Half powers of two: finer steps are indistinguishable.
    const Ns duration = m_trace->table(event.kind).duration[event.index];
    const auto bits = static_cast<std::uint64_t>(std::max<Ns>(2, duration));
    const auto power = static_cast<std::size_t>(std::bit_width(bits)) - 1;
    const std::size_t half = bits >> (power - 1U) & 1U;
    QRgb& known = m_ofDurations[std::min(power * 2 + half, m_ofDurations.size() - 1)];
    if (known == 0)
        known = m_theme->durationColor(Ns{1} << power | static_cast<Ns>(half) << (power - 1)).rgb();
    return known;
}

QRgb EventColors::colorOfNvtx(EventIndex event)
{
    const NvtxAttributes& attributes = m_trace->nvtx().attributesOf(event);
    if (!attributes.hasColor || !m_ownNvtx)
        return colorByName({EventKind::Nvtx, event});
    const auto [known, isNew] = m_tamed.try_emplace(attributes.color);
    if (isNew)
        known->second = tamed(attributes.color, *m_theme).rgb();
    return known->second;
}

QRgb EventColors::colorByName(EventRef event)
{
    const StringId name = m_trace->table(event.kind).name[event.index];
    return remembered(m_byName[indexOf(event.kind)], raw(name), m_trace->pool->size(), event);
}

QRgb EventColors::remembered(std::vector<QRgb>& known, std::size_t id, std::size_t ids, EventRef event)
{
    if (id >= known.size())
        known.resize(std::max(ids, id + 1), 0);
    if (known[id] == 0)
        known[id] = decide(event);
    return known[id];
}

std::optional<QColor> EventColors::colorOfWork(EventRef event) const
{
    const EventTint tint = tintOf(*m_trace, event);
    const bool isKernel = tint == EventTint::Kernel; // collectives keep their own hue
    if (m_by == ColorBy::KernelClass && isKernel)
        return m_theme->classColor(kernelClassRules().classOf(m_trace->name(event)));
    if (m_by != ColorBy::Name)
        return std::nullopt;
    if (isKernel)
        return NameColors::shared().of(ColorGroup::Kernel, m_trace->name(event), *m_theme);
    if (tint == EventTint::Nvtx || tint == EventTint::Library)
        return NameColors::shared().of(ColorGroup::Host, m_trace->name(event), *m_theme);
    return std::nullopt;
}

QRgb EventColors::decide(EventRef event) const
{
    if (const auto color = colorOfWork(event))
        return color->rgb();
    const EventTint tint = tintOf(*m_trace, event);
    const bool shaded = tint == EventTint::Kernel || tint == EventTint::Collective || tint == EventTint::Nvtx
        || tint == EventTint::OsRuntime || tint == EventTint::Library || tint == EventTint::ApiOther;
    return shaded
        ? m_theme->shade(tint, static_cast<std::uint32_t>(nameHash(m_trace->name(event), true))).rgb()
        : m_theme->color(tint).rgb();
}

} // namespace warpline
