#include "app/window_parts.h"

#include <QApplication>
#include <QDockWidget>
#include <QList>
#include <QMainWindow>

namespace warpline {

namespace {

/// The part of `part` that gets the focus: itself, its proxy, or the first in tab order; nullptr: none. A
/// filter field yields to its list, because arrow keys are for the list.
QWidget* takerOf(QWidget& part)
{
    const auto takes = [](const QWidget& widget) {
        return (widget.focusPolicy() & Qt::TabFocus) && widget.isEnabled() && widget.isVisible();
    };
    if (takes(part))
        return &part;
    if (QWidget* const proxy = part.focusProxy(); proxy && takes(*proxy))
        return proxy;
    QWidget* first = nullptr;
    for (QWidget* next = part.nextInFocusChain(); next && next != &part; next = next->nextInFocusChain()) {
        if (!part.isAncestorOf(next) || !takes(*next) || next->inherits("QTabBar"))
            continue;
        first = first ? first : next;
        if (!first->inherits("QLineEdit"))
            return first;
        if (next->inherits("QAbstractItemView"))
            return next;
    }
    return first;
}

} // namespace

bool giveKeyboard(QWidget& part)
{
    QWidget* const taker = takerOf(part);
    if (taker)
        taker->setFocus(Qt::ShortcutFocusReason);
    return taker;
}

void focusNextPart(QMainWindow& window, QWidget& timeline, QWidget& search, bool forward)
{
    QList<QWidget*> parts{&timeline, &search};
    for (QDockWidget* const dock : window.findChildren<QDockWidget*>()) {
        if (dock->widget() && !dock->visibleRegion().isEmpty()) // behind another tab it is visible, too
            parts << dock->widget();
    }
    const QWidget* const now = QApplication::focusWidget();
    qsizetype at = 0;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (now && (parts[i] == now || parts[i]->isAncestorOf(now)))
            at = i;
    }
    for (qsizetype i = 1; i <= parts.size(); ++i) {
        const qsizetype next = (at + (forward ? i : parts.size() - i)) % parts.size();
        if (QWidget* const taker = takerOf(*parts[next])) {
            taker->setFocus(Qt::ShortcutFocusReason); // as giveKeyboard(): Qt then shows the ring
            return;
        }
    }
}

} // namespace warpline
