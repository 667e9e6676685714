#pragma once

#include <QObject>

class QWidget;

namespace warpline {

class ComparedTimelines;
class TimelineView;
class WindowActions;

/// Makes the timeline's keys work in the whole window: those of KeyScope::UnlessTyping reach the timeline
/// wherever the focus is, also in a list, except while text is being typed. Lists do not search lines by
/// letters; arrows, Page Up, Page Down, Space and Return stay theirs. Esc in a text field moves the focus to
/// the timeline, unless the field KeepsEscape. Of two compared runs that is A's, but B's for a focus in it.
class WindowKeys : public QObject {
    Q_OBJECT
public:
    /// All outlive this object.
    WindowKeys(
        QWidget& window, ComparedTimelines& timelines, WindowActions& actions, QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isOfWindow(const QWidget& widget) const;
    TimelineView& timelineFor(const QWidget& focus) const;
    void pass(QEvent& event, TimelineView& timeline);
    /// Every timeline moves until it hears the release, wherever the focus is by then. `to` gets it anyway.
    void passRelease(QEvent& event, const QWidget& to);

    QWidget& m_window;
    ComparedTimelines& m_timelines;
    WindowActions& m_actions; ///< which the timeline does not know: their keys are heard here
    bool m_passing = false; ///< a key is being sent to the timeline; ignored keys come back here
};

} // namespace warpline
