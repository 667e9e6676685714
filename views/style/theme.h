#pragma once

#include "core/query/event_text.h"
#include "core/rows/row_tree.h"

#include <QColor>
#include <QPalette>

namespace warpline {

/// Meaning -> colour, once for light and once for dark. Hues are spaced so that they differ in lightness as
/// well: the families stay apart for colour-blind readers (Okabe and Ito, "Color Universal Design", 2008, are
/// the base).
class Theme {
public:
    static const Theme& light();
    static const Theme& dark();

    bool isDark() const { return m_dark; }
    /// For QApplication::setPalette with the Fusion style.
    QPalette palette() const;

    QColor color(EventTint tint) const;
    /// One of four shades of `tint`'s colour: neighbours of different names can be told apart.
    QColor shade(EventTint tint, std::uint32_t nameHash) const;
    /// A colour for a name, of one lightness for all names.
    QColor nameColor(std::uint32_t nameHash) const;
    QColor rowColor(Tint tint) const;
    /// The colour of part `index` of a chart; no two of the first twelve are alike, then they come again.
    QColor chartColor(std::size_t index) const;
    /// Black or white, whichever is easier to read on `background` (WCAG 2.1 relative luminance).
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
    QColor highlight; ///< evidence
    QColor good; ///< an answer that is as it should be
    QColor bad; ///< an answer or a severity that is not
    QColor rest; ///< of a chart: idle time, what belongs to no part

private:
    explicit Theme(bool dark);
    bool m_dark;
};

} // namespace warpline
