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

/// What the warpline-cli command of a panel leaves out of its content.
struct LeftOut {
    bool rows = false; ///< the command covers all rows, the panel those that are selected
    bool range = false; ///< the panel is about a selected range
    bool gpu = false; ///< the panel shows one of several GPUs
    bool finding = false; ///< the change is that of a finding
};

/// A panel next to the timeline. The window knows panels only as this class and finds them in allPanels();
/// panels know only the Session, not each other.
///
/// A panel is notified when there is a report, when another of several is chosen (Session::report()), and
/// when there is none or only a part of one. It follows other state (the selected range, the shown one)
/// through the Session, and reacts with requestRefresh(), which combines the steps of a drag and waits while
/// the panel is hidden.
class Panel : public QWidget {
    Q_OBJECT
public:
    /// `session` outlives the panel. `time`: when refresh() follows a request.
    explicit Panel(
        Session& session, QWidget* parent = nullptr, RefreshTime time = RefreshTime::SoonAfterFirst);

    /// Shows `theme` from now on. A panel that uses only the palette has nothing to do.
    virtual void setTheme(const Theme&) { }
    /// Whether a result is pending: updated() is emitted when it is there.
    virtual bool isBusy() const { return m_refresh.isPending(); }
    /// Whether it is in front of other panels at its place: behind them it computes nothing.
    virtual void setInFront(bool inFront);
    /// The user accepted the preferences: thresholds of rules may have changed.
    virtual void preferencesChanged() { }
    /// The user's choices to be restored after a restart, for any report. `settings` is in this panel's
    /// group.
    virtual void saveState(QSettings&) const { }
    virtual void restoreState(const QSettings&) { }
    /// Shows the part named by PanelKind::part.
    virtual void showPart(const QString&) { }
    /// Its choices as words of the warpline-cli command that prints its content, see commandsOf().
    virtual QStringList commandWords() const { return {}; }
    /// What these words cannot express.
    virtual LeftOut leftOut() const { return {}; }

signals:
    void updated(); ///< the last request is shown
    void messages(const QString& text); ///< for the status bar: how an export went, where a step led

protected:
    /// All of a report is there: shows it, instead of the one before.
    virtual void showReport() = 0;
    /// There is no report, only a part of one, or another one, which showReport() follows: removes what is
    /// shown or on its way of the one before. Its events and rows mean nothing in others.
    virtual void clear() = 0;

    /// Runs after requestRefresh(), once for a burst of requests.
    virtual void refresh() { }
    /// Whether it is in front of the panels at its place, shown or not.
    bool isInFront() const { return m_refresh.isInFront(); }
    /// Whether it can be seen: shown and in front. May be called again with the same value.
    virtual void setSeen(bool) { }
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

    /// Requests refresh() when a drag rests, or during it, by the panel's RefreshTime; not before the panel
    /// is shown.
    void requestRefresh() { m_refresh.request(); }
    /// The same, with no drag to wait for.
    void requestRefreshAtOnce() { m_refresh.requestAtOnce(); }
    /// Cancels the request, because it is done.
    void cancelRefresh() { m_refresh.cancel(); }

    Session& m_session;

private:
    void follow();

    std::weak_ptr<const Trace> m_shown; ///< the last argument of showReport()
    DelayedRefresh m_refresh;
};

/// The initial place of a panel: in the drawer below the timeline, or in the inspector next to it. Each shows
/// one panel at a time.
enum class PanelPlace : std::uint8_t { Below, Beside };

/// Which open reports a panel is about: Session::report(), those of its ReportScope, or all of them.
enum class PanelReports : std::uint8_t { One, Several, All };

/// Properties of a panel that the window needs before creating it. A new panel is a file with a class and its
/// kind, and a line in panels.cpp: dock, View menu, theme, settings, status and --panel follow from it.
struct PanelKind {
    const char* id; ///< "findings": of --panel, of the saved layout, of Session::panelRequested()
    const char* title; ///< of the tab and in the View menu; marked for translation like an action
    const char* help; ///< a sentence on its content; marked for translation
    PanelPlace place;
    PanelReports about = PanelReports::One;
    bool namesRuns = false; ///< with two compared runs it names the run itself, or covers both
    const char* keys = ""; ///< at first, as Action::keys
    /// Whether it applies to the open reports; nullptr: always. Controls its button.
    bool (*isNeeded)(Session& session) = nullptr;
    const char* part = ""; ///< id for a part of its content, see Panel::showPart()
    const char* with = ""; ///< id of the panel in the other place that is shown with it
    Panel* (*make)(Session& session, const Theme& theme, QWidget* parent);
    /// The panel's actions for menus and shortcuts, available wherever the focus is.
    std::span<const Action> actions = {};
};

/// PanelKind::make for a class of panels, with or without a theme.
template <typename Kind> Panel* makePanel(Session& session, const Theme& theme, QWidget* parent)
{
    if constexpr (std::is_constructible_v<Kind, Session&, const Theme&, QWidget*>)
        return new Kind(session, theme, parent);
    else
        return new Kind(session, parent);
}

/// Whether an open report has work of a GPU: most tables and charts of steps are about that.
bool hasGpuWork(Session& session);

/// The panel with this id, or with this id of a tab or part ("overview", "summary"); nullptr: none.
const PanelKind* findPanel(const QString& id);

/// All panels in the order of their tabs and of the View menu; the first is in front at first.
std::span<const PanelKind* const> allPanels();

} // namespace warpline
