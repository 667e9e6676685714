#pragma once

#include <QMargins>

#include <initializer_list>
#include <utility>

class QBoxLayout;
class QComboBox;
class QLabel;
class QLayout;
class QScrollArea;
class QSplitter;
class QWidget;

namespace warpline {

/// Stands for free room among the entries of a layout.
inline constexpr struct FreeRoom {
} freeRoom;

/// A widget, a layout or free room in a layout, with its share of the room that is left.
struct LayoutEntry {
    LayoutEntry(QWidget* shown, int share = 0)
        : widget(shown),
          stretch(share)
    {
    }
    LayoutEntry(QLayout* inner, int share = 0)
        : layout(inner),
          stretch(share)
    {
    }
    LayoutEntry(FreeRoom, int share = 0)
        : stretch(share)
    {
    }

    QWidget* widget = nullptr;
    QLayout* layout = nullptr; ///< neither: free room
    int stretch;
};
using LayoutEntries = std::initializer_list<LayoutEntry>;

/// A spacing of layouts: as the style has it.
inline constexpr int styleSpacing = -1;

/// Adds `entries` to `layout`.
void fillLayout(QBoxLayout* layout, const QMargins& margins, int spacing, LayoutEntries entries);
/// The layout of `parent`: `entries` below each other, without margins.
void fillColumn(QWidget* parent, int spacing, LayoutEntries entries);
/// A widget in `parent` with such a layout.
QWidget* makeColumn(QWidget* parent, int spacing, LayoutEntries entries);
/// A widget in `parent` with `text`, such as a legend, above `content`. Where it is low, the text shrinks to
/// whole lines, one at least, before the content gets less than its minimum height; where it is narrow, its
/// words are cut. A mark shows that there is more, and a tip has all of it. Links come first in the text.
QWidget* makeTextColumn(QWidget* parent, QLabel* text, QWidget* content);
/// `entries` next to each other, for another layout.
QLayout* barLayout(LayoutEntries entries, const QMargins& margins = {4, 3, 4, 0});
/// Shows `content` in `area`, which scrolls up and down only, without a frame.
void scrollUpAndDown(QScrollArea& area, QWidget* content);
/// Lets `box` be as narrow as `letters` letters of 10 points where its entries have no room.
void letShrink(QComboBox& box, int letters);

/// Adds widgets with their shares of the room to `splitter`, which at first has these sizes.
void fillSplitter(QSplitter& splitter, std::initializer_list<std::pair<QWidget*, int>> parts,
    std::initializer_list<int> sizes);

} // namespace warpline
