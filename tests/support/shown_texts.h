// What a window shows and tells: each text of a widget, what it paints, and what screen readers find.
#pragma once

#include <QList>
#include <QString>

class QWidget;

namespace warpline::test {

struct ShownText {
    QString place; ///< "QLabel: text", to find it again
    QString text; ///< a line, without tags
};

/// The texts of `root` and of all below it: properties of widgets and actions, menus, heads and cells of item
/// views, documents, what is painted, and names, descriptions and values of the accessible tree. What a
/// person types into an editor is left out.
QList<ShownText> shownTexts(QWidget& root);

/// What `root` and the widgets below it paint, joined where one text was drawn in several pieces. It is drawn
/// on a device that keeps texts and nothing else.
QList<ShownText> paintedTexts(QWidget& root);

} // namespace warpline::test
