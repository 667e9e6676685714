#pragma once

#include "views/loading/latest_job.h"
#include "views/session/filter_edit.h"
#include "views/session/session.h"
#include "views/style/theme.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QToolButton;

namespace warpline {

/// Finds events by name in all open reports, of a comparison in A, or in B where A has none: shows their
/// number and the current one ("3 of 30"), and goes to the next and the previous in time. CPU samples count
/// only without other matches. Searches off the GUI thread.
class SearchBar : public QWidget {
    Q_OBJECT
public:
    SearchBar(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void start(); ///< takes the keyboard
    void showKeys(); ///< of the actions that do the same, on field and buttons
    void find(bool forward);
    void list(); ///< all that is found, in the events view
    QSize sizeHint() const override;
    QLineEdit& edit() { return *m_edit; }
    QLabel& count() { return *m_count; }
    QToolButton& kinds() { return *m_kinds; }
    /// The searched text: the field's, restricted to the chosen kind of events; empty: none.
    QString asked() const;
    /// The number of the current event of A among the matches, when the search went there; 0: it did not.
    std::uint64_t foundPlace();
    /// Makes the current event of A the match `place`, as the search of another window found it.
    void setFound(std::uint64_t place);

private:
    void fillKinds(); ///< those that occur in the open reports
    void chooseKind(std::optional<EventKind> kind);
    void askAnew();
    void countMatches();
    void showCount();
    Session* otherRun(); ///< B of a comparison with another run; nullptr: there is none
    Session& side(); ///< the one of the matches: B of a comparison when A has none

    Session& m_session;
    QToolButton* m_kinds;
    std::optional<EventKind> m_kind; ///< nothing: all
    FilterEdit* m_edit;
    QToolButton* m_previous;
    QToolButton* m_next;
    QLabel* m_count;
    std::uint64_t m_matches = 0;
    std::uint64_t m_inB = 0; ///< matches in the other of two compared runs
    bool m_valid = true; ///< false: a regular expression with a mistake
    bool m_counted = false; ///< m_matches is for the text in the field
    EventId m_found; ///< where the search went last, in side()
    std::uint64_t m_place = 0; ///< index of m_found among the matches, from 1
    LatestJob m_search;
    LatestJob m_counting;
    QTimer m_delay;
};

} // namespace warpline
