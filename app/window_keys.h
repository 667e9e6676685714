#pragma once

#include <QObject>

class QKeyEvent;
class QWidget;

namespace warpline {

class WindowActions;

/// Makes the timeline's keys the window's: those of KeyScope::UnlessTyping reach the timeline wherever in the
/// window the keyboard is, after a click in a list too, unless text is being typed. Lists do not jump
/// to lines that start with a letter; arrows, Page Up, Page Down, Space and Return stay theirs. Esc in a text
/// field hands the keyboard back to the timeline, unless the field KeepsEscape.
class WindowKeys : public QObject {
    Q_OBJECT
public:
    /// All outlive this object.
    WindowKeys(QWidget& window, QWidget& timeline, WindowActions& actions, QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isOfWindow(const QWidget& widget) const;

    QWidget& m_window;
    QWidget& m_timeline;
    WindowActions& m_actions; ///< which the timeline does not know: their keys are heard here
    bool m_passing = false; ///< a key is on its way to the timeline; what it ignores comes by again
};

} // namespace warpline
