#pragma once

#include "views/session/session.h"

#include <QTimer>
#include <QWidget>

class QLineEdit;
class QToolButton;

namespace warpline {

class FilterEdit;
class FilterNote;

/// Parses a duration filter: "> 10us", "<1ms", "5ms..20ms", "5ms-20ms", "250" (ns and up). False when it is
/// none; `least` is above `most` when its ends are in the wrong order.
bool parseDurationFilter(const QString& text, Ns& least, Ns& most);
/// The text for `least` and `most` that parseDurationFilter() reads.
QString durationFilterText(Ns least, Ns most);

/// The filter of a session in three parts: the text, the durations, and a button that shows and clears
/// further restrictions. Valid input becomes the session's filter; changes from elsewhere are shown.
class EventsFilterBar : public QWidget {
    Q_OBJECT
public:
    /// `session` outlives the bar.
    explicit EventsFilterBar(Session& session, QWidget* parent = nullptr);

    FilterEdit& text() { return *m_text; }
    void showFilter(); ///< when names of the restrictions have changed

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyFilter();
    void markDuration(bool isValid);
    void tellDuration();
    QString filterWords() const;

    Session& m_session;
    FilterEdit* m_text;
    QLineEdit* m_duration;
    QToolButton* m_clear;
    FilterNote* m_note;
    QString m_appliedDuration; ///< the last valid text of m_duration
    QTimer m_pause; ///< runs while a correction of the duration may follow
};

} // namespace warpline
