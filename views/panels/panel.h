#pragma once

#include "views/actions/action.h"
#include "views/loading/delayed_refresh.h"
#include "views/session/session.h"
#include "views/style/theme.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

class QSettings;

namespace warpline {

/// A panel beside the timeline: one answer to questions about the report that is open. The window knows
/// panels only as this class and finds them in allPanels(); among themselves they know the Session alone.
///
/// A panel is told when there is a report, when of several another one is chosen (Session::report()), and
/// when there is none or only a part of one. What else it follows (the selected range, the shown one) it
/// takes from the Session, and answers with requestRefresh(), which joins the steps of a drag and waits while
/// the panel is hidden.
class Panel : public QWidget {
    Q_OBJECT
public:
    /// `session` outlives the panel. `time`: when refresh() follows a request.
    explicit Panel(
        Session& session, QWidget* parent = nullptr, RefreshTime time = RefreshTime::SoonAfterFirst);

    /// Shows `theme` from now on. A panel that uses only the palette has nothing to do.
    virtual void setTheme(const Theme& theme);
    /// Whether an answer is on its way: updated() comes when it is there.
    virtual bool isBusy() const { return m_refresh.isPending(); }
    /// Whether it is in front of others that share its place: behind them nothing is worked out for it.
    virtual void setSeen(bool seen) { m_refresh.setSeen(seen); }
    /// The user accepted the preferences: thresholds of rules may have changed.
    virtual void preferencesChanged() { }
    /// What the user chose here and wants to find again after a restart, of whatever report. `settings` is in
    /// a group of this panel's own.
    virtual void saveState(QSettings& settings) const;
    virtual void restoreState(const QSettings& settings);
    /// Turns to what PanelKind::part names.
    virtual void showPart(const QString& id);

signals:
    void updated(); ///< what was asked last is shown
    void messages(const QString& text); ///< for the status bar: how an export went, where a step led

protected:
    /// All of a report is there: shows it, instead of the one before.
    virtual void showReport() = 0;
    /// There is no report, or only a part of one: what was shown is of another one and must go.
    virtual void clear() = 0;

    /// What was asked for by requestRefresh(), once for a burst of requests.
    virtual void refresh() { }
    /// Asks for refresh() when a drag rests, or as soon as it goes on, as the panel's RefreshTime has it; not
    /// before the panel is shown.
    void requestRefresh() { m_refresh.request(); }
    /// The same, with no drag to wait for.
    void requestRefreshAtOnce() { m_refresh.requestAtOnce(); }
    /// Forgets what was asked for: it is answered.
    void cancelRefresh() { m_refresh.cancel(); }

    Session& m_session;

private:
    void follow();

    std::weak_ptr<const Trace> m_shown; ///< what showReport() was last told of
    DelayedRefresh m_refresh;
};

/// Where a panel is until the user moves it: in the drawer below the timeline, or in the inspector beside it.
/// Each of the two shows one panel at a time.
enum class PanelPlace : std::uint8_t { Below, Beside };

/// Which open reports a panel is about: Session::report(), those of its ReportScope, or all of them.
enum class PanelReports : std::uint8_t { One, Several, All };

/// What the window must know of a panel before it makes one. A new panel is a file with a class and its kind,
/// and a line in panels.cpp: dock, View menu, theme, settings, status and --panel come from here.
struct PanelKind {
    const char* id; ///< "findings": of --panel, of the saved layout, of Session::panelRequested()
    const char* title; ///< of the tab and in the View menu; marked for translation like an action
    const char* help; ///< what it shows, as a sentence; marked for translation
    PanelPlace place;
    PanelReports about = PanelReports::One;
    bool namesRuns = false; ///< of two compared runs it says itself which it is about, or it is about both
    const char* keys = ""; ///< at first, as Action::keys
    /// Whether it has something to say of what is open; nullptr: always. Its button is there only then.
    bool (*isNeeded)(Session& session) = nullptr;
    const char* part = ""; ///< an id of its own for one of the things that it shows, see Panel::showPart()
    const char* with = ""; ///< id of the panel in the other place that is shown with it
    Panel* (*make)(Session& session, const Theme& theme, QWidget* parent);
    /// What can be asked of the panel from menus and by keys, wherever the keyboard is.
    std::span<const Action> actions = {};
};

/// PanelKind::make of a class of panels, with or without a theme of its own.
template <typename Kind> Panel* makePanel(Session& session, const Theme& theme, QWidget* parent)
{
    if constexpr (std::is_constructible_v<Kind, Session&, const Theme&, QWidget*>)
        return new Kind(session, theme, parent);
    else
        return new Kind(session, parent);
}

/// Whether an open report has work of a GPU: most tables and charts of steps are about that.
bool hasGpuWork(Session& session);

/// The one of this id, or whose tab or a part is named so ("overview", "summary"); nullptr: none.
const PanelKind* findPanel(const QString& id);

/// All panels in the order of their tabs and of the View menu; the first is in front at first.
std::span<const PanelKind* const> allPanels();

} // namespace warpline
