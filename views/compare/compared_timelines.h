#pragma once

#include "views/session/run_pair.h"
#include "views/style/theme.h"

#include <QWidget>

class QSplitter;

namespace warpline {

class CompareBar;
class TimelinePane;

/// The timeline of a session and, during a comparison, the other run's below it, in step: with badges A and
/// B, one cursor and labels of one width.
class ComparedTimelines : public QWidget {
    Q_OBJECT
public:
    /// `session` outlives this widget.
    ComparedTimelines(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    TimelinePane& a() { return *m_a; }
    /// The other run's; nullptr before the first comparison.
    TimelinePane* b() { return m_b; }
    CompareBar& bar() { return *m_bar; }
    /// Whether all that is shown of B is there.
    bool isReady() const;
    /// Pixels of height that each run needs to show some rows; 0: nothing is compared.
    int leastHeight() const;

signals:
    void updated(); ///< isReady() may be another

private:
    void onChanged();
    void makeB();
    void scrollTogether(Side from);

    Session& m_session;
    const Theme* m_theme;
    CompareBar* m_bar;
    QSplitter* m_splitter;
    TimelinePane* m_a;
    TimelinePane* m_b = nullptr;
    bool m_scrolling = false;
};

} // namespace warpline
