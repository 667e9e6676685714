#pragma once

#include "core/query/event_text.h"
#include "core/rows/row_tree.h"

#include <QColor>
#include <QPalette>

namespace warpline {

/// Maps meanings to colours, for light and dark. Hues differ in lightness as well, so that they are distinct
/// for colour-blind readers (based on Okabe and Ito, "Color Universal Design", 2008).
class Theme {
public:
    /// Contrasts to the background by WCAG 2.1: for texts and graphics.
    static constexpr double minTextContrast = 4.5;
    static constexpr double minDrawnContrast = 3;

    static const Theme& light();
    static const Theme& dark();
    /// With `safe` the theme whose colours differ without seeing red or green, too. With `contrast` texts
    /// have a contrast of 7 and graphics of 4.5.
    static const Theme& of(bool dark, bool safe, bool contrast = false);

    bool isDark() const { return m_dark; }
    bool isColorBlindSafe() const { return m_safe; }
    bool isHighContrast() const { return m_contrast; }
    /// `color`, so much darker or lighter that it stands out from the ground of rows and panels as bars must.
    QColor visible(const QColor& color) const;
    /// For QApplication::setPalette with the Fusion style. BrightText is `bad`: for mistakes in input fields.
    QPalette palette() const;

    QColor color(EventTint tint) const;
    /// One of four shades of `tint`'s colour, so that neighbours of different names are distinguishable.
    QColor shade(EventTint tint, std::uint32_t nameHash) const;
    QColor rowColor(Tint tint) const;
    /// The colour of the kernels of a class, by its index in kernelClassRules().
    QColor classColor(std::size_t kernelClass) const;
    /// A colour for the `index`th of many things that have no colour of their own; the first twelve are those
    /// of a chart.
    QColor spreadColor(std::size_t index) const;
    /// The colour of a duration, from 1 us and less to 1 s and more; longer ones stand out more.
    QColor durationColor(Ns duration) const;
    /// The colour of part `index` of a chart; no two of the first twelve are alike, then they come again.
    QColor chartColor(std::size_t index) const;
    /// White where it is readable on `background` (see minTextContrast), else black.
    static QColor textOn(QColor background);

    QColor background; ///< of the rows
    QColor alternate; ///< of every second group of rows
    QColor panel; ///< ruler, labels
    QColor text;
    QColor dimText;
    QColor grid;
    QColor selection; ///< translucent fill of the selected range
    QColor selectionEdge;
    QColor accent; ///< current event, links
    QColor highlight; ///< evidence, and events marked by name; distinct from accent
    QColor good; ///< an answer that is good
    QColor bad; ///< an answer or a severity that is not good
    QColor rest; ///< of a chart: idle time, the rest

private:
    Theme(bool dark, bool safe, bool contrast);
    bool m_dark;
    bool m_safe;
    bool m_contrast;
};

/// The colour that lies `share` (0 to 1) of the way from one to the other.
QColor mixedColor(const QColor& from, const QColor& to, double share);

} // namespace warpline
