#include "views/style/event_colors.h"

namespace warpline {

namespace {

/// NVTX colours come from the program and may be anything: keep the hue, keep it legible on the rows.
QColor tamed(QRgb argb, bool dark)
{
    const QColor color = QColor::fromRgb(argb);
    const int lightness = std::clamp(color.lightness(), dark ? 90 : 60, dark ? 190 : 170);
    return QColor::fromHsl(color.hslHue(), std::min(color.hslSaturation(), 190), lightness);
}

std::uint32_t hashOf(StringId name)
{
    return (raw(name) * 2654435761U) >> 16U;
}

} // namespace

EventColors::EventColors(std::shared_ptr<const Trace> trace, const Theme& theme)
    : m_trace(std::move(trace)),
      m_theme(&theme)
{
}

QRgb EventColors::operator()(EventRef event)
{
    // Copies differ by direction and NVTX by its own colour; all else has one colour a name.
    if (event.kind == EventKind::Memcpy || event.kind == EventKind::Nvtx
        || event.kind == EventKind::NvtxProjected)
        return decide(event);
    std::vector<QRgb>& known = m_byName[indexOf(event.kind)];
    const std::uint32_t name = raw(m_trace->table(event.kind).name[event.index]);
    if (name >= known.size())
        known.resize(std::max<std::size_t>(m_trace->pool->size(), name + 1), 0);
    if (known[name] == 0)
        known[name] = decide(event);
    return known[name];
}

QRgb EventColors::decide(EventRef event) const
{
    if (event.kind == EventKind::NvtxProjected)
        event = {EventKind::Nvtx, m_trace->table(EventKind::NvtxProjected).attribute[event.index]};
    const EventTint tint = tintOf(*m_trace, event);
    if (event.kind == EventKind::Nvtx) {
        const NvtxAttributes& attributes = m_trace->nvtx().attributesOf(event.index);
        if (attributes.hasColor)
            return tamed(attributes.color, m_theme->isDark()).rgb();
    }
    const bool shaded = tint == EventTint::Kernel || tint == EventTint::Nvtx || tint == EventTint::OsRuntime
        || tint == EventTint::Library || tint == EventTint::ApiOther;
    return shaded ? m_theme->shade(tint, hashOf(m_trace->table(event.kind).name[event.index])).rgb()
                  : m_theme->color(tint).rgb();
}

} // namespace warpline
