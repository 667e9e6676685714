#pragma once

#include "views/session/session.h"

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace warpline {

class FilterEdit;

/// The filter of a session in three parts: the words, the durations, and a button that says what else it is
/// limited to and lifts all of it. What is typed becomes the session's filter, unless it is half typed; what
/// others set is shown.
class EventsFilterBar : public QWidget {
    Q_OBJECT
public:
    /// `session` outlives the bar.
    explicit EventsFilterBar(Session& session, QWidget* parent = nullptr);

    FilterEdit& text() { return *m_text; }
    QLineEdit& duration() { return *m_duration; }
    QToolButton& clearButton() { return *m_clear; }
    void showFilter(); ///< for when names of what the filter is limited to are new

private:
    void applyFilter();
    QString filterWords() const;

    Session& m_session;
    FilterEdit* m_text;
    QLineEdit* m_duration;
    QToolButton* m_clear;
};

} // namespace warpline
