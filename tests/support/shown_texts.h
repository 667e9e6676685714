// The texts of a window: of widgets, painted ones, and those for screen readers.
#pragma once

#include <QList>
#include <QString>

class QWidget;

namespace warpline::test {

struct ShownText {
    QString place; ///< "QLabel: text", to find it again
    QString text; ///< a line, without tags
};

/// The texts of `root` and all its children: properties of widgets and actions, menus, headers and cells of
/// item views, documents, painted texts, and names, descriptions and values of the accessible tree. Without
/// the contents of editors.
QList<ShownText> shownTexts(QWidget& root);

/// The texts that `root` and its children paint, joined where one text was drawn in several pieces. Uses a
/// paint device that records texts only.
QList<ShownText> paintedTexts(QWidget& root);

} // namespace warpline::test
