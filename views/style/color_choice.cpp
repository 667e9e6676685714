#include "views/style/color_choice.h"

#include "core/base/enum_key.h"
#include "views/style/drawing_settings.h"
#include "views/style/name_colors.h"
#include "views/style/rich_text.h"

namespace warpline {

QString keyOf(ColorBy by)
{
    return textOf(keyIn<ColorBy::Duration>({"name", "kind", "class", "stream", "duration"}, by));
}

ColorChoice& ColorChoice::shared()
{
    static ColorChoice choice;
    return choice;
}

ColorChoice::ColorChoice()
{
    reload();
    connect(&NameColors::shared(), &NameColors::changed, this, &ColorChoice::changed);
}

void ColorChoice::reload()
{
    const QString wanted = DrawingSettings::value("colors/by").toString();
    ColorBy by = ColorBy::Name;
    for (const ColorBy each : allColorings) {
        if (keyOf(each) == wanted)
            by = each;
    }
    const bool own = DrawingSettings::value("colors/ownNvtx", true).toBool();
    const bool legend = DrawingSettings::value("colors/legend", true).toBool();
    const bool differs = by != m_by || own != m_ownNvtx;
    m_by = by;
    m_ownNvtx = own;
    if (differs)
        emit changed();
    if (legend != m_legend) {
        m_legend = legend;
        emit legendShown(legend);
    }
}

void ColorChoice::setBy(ColorBy by)
{
    DrawingSettings::choose("colors/by", keyOf(by));
    reload();
}

void ColorChoice::setUsesOwnNvtxColors(bool own)
{
    DrawingSettings::choose("colors/ownNvtx", own);
    reload();
}

void ColorChoice::setShowsLegend(bool shown)
{
    DrawingSettings::choose("colors/legend", shown);
    reload();
}

} // namespace warpline
