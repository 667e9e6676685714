#pragma once

#include "views/models/events_model.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace warpline {

/// The events view: filters above, the table below. A click selects in the timeline, a double-click zooms
/// there, and what is selected in the timeline is scrolled to here.
class EventsPanel : public QWidget {
    Q_OBJECT
public:
    explicit EventsPanel(Session& session, QWidget* parent = nullptr);

    EventsModel& model() { return *m_model; }
    QTableView& table() { return *m_table; }
    /// Writes the table as CSV, off the GUI thread; messages() says how it went.
    void exportCsv(const QString& path);

signals:
    void messages(const QString& text);

private:
    void showCurrent();
    void showCount();
    void applyFilter();
    void copySelection();

    Session& m_session;
    EventsModel* m_model;
    QTableView* m_table;
    QLineEdit* m_text;
    QLineEdit* m_duration;
    QLabel* m_count;
    LatestJob m_export;
    bool m_leading = false; ///< the timeline's selection changes because the table's did
    bool m_following = false; ///< the selection changes because the timeline's did
};

/// Parses a duration filter: "> 10us", "<1ms", "5ms-20ms", "250" (ns and up). False when it is none.
bool parseDurationFilter(const QString& text, Ns& least, Ns& most);

} // namespace warpline
