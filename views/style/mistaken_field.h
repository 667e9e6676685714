#pragma once

#include <QLineEdit>
#include <QPalette>

namespace warpline {

/// Gives the text of `field` the colour of mistakes in its parent's palette, or the usual one. Again when
/// that palette changes.
inline void showMistaken(QLineEdit& field, bool isMistaken)
{
    QPalette colors; // sets nothing else: the rest follows the theme
    if (isMistaken)
        colors.setColor(QPalette::Text, field.parentWidget()->palette().color(QPalette::BrightText));
    field.setPalette(colors);
}

} // namespace warpline
