#include "views/style/event_colors.h"
#include "core/store/attributes.h"

#include <functional>
#include <string_view>

namespace warpline {

namespace {

/// NVTX colours come from the program and may be anything: keep the hue, keep it legible on the rows.
QColor tamed(QRgb argb, bool dark)
{
    const QColor color = QColor::fromRgb(argb);
    const int lightness = std::clamp(color.lightness(), dark ? 90 : 60, dark ? 190 : 170);
    return QColor::fromHsl(color.hslHue(), std::min(color.hslSaturation(), 190), lightness);
}

/// By the text: a name has the same shade in every report.
std::uint32_t hashOf(std::string_view name)
{
    return static_cast<std::uint32_t>(std::hash<std::string_view>()(name) >> 16U);
}

} // namespace

EventColors::EventColors(std::shared_ptr<const Trace> trace, const Theme& theme, bool kernelsByName)
    : m_trace(std::move(trace)),
      m_theme(&theme),
      m_kernelsByName(kernelsByName)
{
}

QRgb EventColors::operator()(EventRef event)
{
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
    const bool byName = event.kind != EventKind::Memcpy && event.kind != EventKind::NvtxProjected;
    if (byName)
        __builtin_prefetch(table.name.data() + event.index);
    if (!byName || event.kind == EventKind::Nvtx)
        __builtin_prefetch(table.attribute.data() + event.index);
}

QRgb EventColors::colorOfNvtx(EventIndex event)
{
    const NvtxAttributes& attributes = m_trace->nvtx().attributesOf(event);
    if (!attributes.hasColor)
        return colorByName({EventKind::Nvtx, event});
    const auto [known, isNew] = m_tamed.try_emplace(attributes.color);
    if (isNew)
        known->second = tamed(attributes.color, m_theme->isDark()).rgb();
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

QRgb EventColors::decide(EventRef event) const
{
    const EventTint tint = tintOf(*m_trace, event);
    if (m_kernelsByName && tint == EventTint::Kernel) // collectives keep the hue that tells them apart
        return m_theme->nameColor(hashOf(m_trace->name(event))).rgb();
    const bool shaded = tint == EventTint::Kernel || tint == EventTint::Collective || tint == EventTint::Nvtx
        || tint == EventTint::OsRuntime || tint == EventTint::Library || tint == EventTint::ApiOther;
    return shaded ? m_theme->shade(tint, hashOf(m_trace->name(event))).rgb() : m_theme->color(tint).rgb();
}

} // namespace warpline
