#pragma once

#include "views/loading/latest_job.h"
#include "views/session.h"
#include "views/style/theme.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace warpline {

/// Finds events by name: says how many there are, and goes to the next and the previous one in time. Searches
/// off the GUI thread.
class SearchBar : public QWidget {
    Q_OBJECT
public:
    SearchBar(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void start(); ///< takes the keyboard
    void find(bool forward);
    QLineEdit& edit() { return *m_edit; }
    QLabel& count() { return *m_count; }

private:
    void countMatches();

    Session& m_session;
    QLineEdit* m_edit;
    QToolButton* m_previous;
    QToolButton* m_next;
    QLabel* m_count;
    LatestJob m_search;
    LatestJob m_counting;
    QTimer m_delay;
};

} // namespace warpline
