#pragma once

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStringList>

namespace warpline::test {

/// The visible controls, texts and lists of `panel` that its edges cut, but for what scrolls; empty: none.
inline QStringList cutParts(const QWidget& panel)
{
    QStringList cut;
    for (const QWidget* const each : panel.findChildren<QWidget*>()) {
        const bool counts = qobject_cast<const QComboBox*>(each) || qobject_cast<const QLineEdit*>(each)
            || qobject_cast<const QAbstractButton*>(each) || qobject_cast<const QLabel*>(each)
            || qobject_cast<const QAbstractScrollArea*>(each);
        bool scrolls = false;
        for (const QWidget* in = each->parentWidget(); in && in != &panel; in = in->parentWidget())
            scrolls = scrolls || qobject_cast<const QAbstractScrollArea*>(in);
        const QRect place(each->mapTo(&panel, QPoint()), each->size());
        if (counts && !scrolls && each->isVisible() && !panel.rect().contains(place))
            cut << QString("%1 %2 %3x%4 at %5,%6")
                       .arg(each->metaObject()->className(), each->objectName())
                       .arg(place.width())
                       .arg(place.height())
                       .arg(place.x())
                       .arg(place.y());
    }
    return cut;
}

} // namespace warpline::test
