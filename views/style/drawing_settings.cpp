#include "views/style/drawing_settings.h"

#include "views/style/color_choice.h"
#include "views/style/counter_scale.h"

#include <QSettings>

namespace warpline {

namespace {

/// Only used on the GUI thread, like the settings.
QVariantMap& drawingOfView()
{
    static QVariantMap values;
    return values;
}

} // namespace

QVariant DrawingSettings::value(const QString& key, const QVariant& otherwise)
{
    const QVariant wanted = drawingOfView().value(key);
    return wanted.isValid() ? wanted : QSettings().value(key, otherwise);
}

void DrawingSettings::choose(const QString& key, const QVariant& value)
{
    drawingOfView().remove(key);
    QSettings().setValue(key, value);
}

void DrawingSettings::setOfView(const QVariantMap& values)
{
    if (values == drawingOfView())
        return; // what another window chose since is for later windows
    drawingOfView() = values;
    ColorChoice::shared().reload();
    CounterChoice::shared().reload();
}

QVariantMap DrawingSettings::ofView()
{
    return drawingOfView();
}

} // namespace warpline
