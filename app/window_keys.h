#pragma once

#include <QObject>

class QKeyEvent;
class QWidget;

namespace warpline {

class WindowActions;

/// Makes the timeline's keys work in the whole window: those of KeyScope::UnlessTyping reach the timeline
/// wherever the focus is, also in a list, except while text is being typed. Lists do not search lines by
/// letters; arrows, Page Up, Page Down, Space and Return stay theirs. Esc in a text field moves the focus to
/// the timeline, unless the field KeepsEscape.
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
    bool m_passing = false; ///< a key is being sent to the timeline; ignored keys come back here
};

} // namespace warpline
