#pragma once

#include "views/panels/panel.h"

#include <QHash>
#include <QList>
#include <QMainWindow>

class QDockWidget;
class QLabel;

namespace warpline {

class ComparedTimelines;
class InspectorHistory;
class WindowActions;

/// The panels of a window, one dock for each, in the inspector or in the drawer. Each of the two shows one
/// panel at a time.
class PanelDocks : public QObject {
    Q_OBJECT
public:
    /// Makes allPanels(). All outlive this object, and the window owns it.
    PanelDocks(QMainWindow& window, Session& session, ComparedTimelines& timelines, WindowActions& actions,
        const Theme& theme);

    const QList<Panel*>& panels() const { return m_panels; } ///< in the order of allPanels()
    /// Brings the panel `id` (PanelKind::id) to the front. Without a report it comes once there is one. False
    /// when there is none of that name.
    bool showPanel(const QString& id);
    /// Brings the first panel into the inspector, unless that is closed or shows all ranks or both runs. The
    /// user has not asked for it.
    void bringFirst();
    bool isPanelOpen(const QString& id) const;
    bool isPanelInFront(const QString& id) const; ///< open, and no other covers it
    /// Closes a panel that is open, opens any other and gives it the keyboard.
    void togglePanel(const QString& id);
    void enterPanel(const QString& id);
    /// The panel of `place`; empty: the place is closed.
    QString openPanel(PanelPlace place) const;
    /// History of the inspector.
    InspectorHistory& inspected() { return *m_inspected; }
    /// Closes inspector or drawer, or opens it with the panel that was there last.
    void togglePlace(PanelPlace place);
    bool isPlaceOpen(PanelPlace place) const;
    /// Makes the focused panel a floating window, else the one in the drawer or in the inspector, or docks it
    /// again.
    void floatPanel();
    /// Puts all panels back to where they were at first.
    void resetLayout();

    /// Without a report panels are empty: hides them, and later restores them.
    void hide() { showAll(false); }
    /// In a turn of their own: to make them all visible takes its time. shown() follows.
    void showSoon();
    bool areShown() const { return m_shown; }
    bool areComing() const { return m_coming || m_appear; }
    /// Shows the selection in the inspector, or the previous page without one. Does nothing while the user
    /// reads in it or steps through evidence, and when a measured range only follows a clock.
    void inspectSelection();
    /// A panel that is left from other reports or from the settings, and does not apply to these reports,
    /// gives way to the first one of its place, and comes back with reports that it applies to. So does one
    /// behind Details. For when all are open.
    void leaveUnneeded();
    /// No panel that gave way comes back.
    void forgetReplaced() { m_replaced.clear(); }
    /// Two runs that are compared have the verdict in the inspector and, where there is room, tables in the
    /// drawer; afterwards both are as they were, as far as their panels apply to the report.
    void followComparison();
    /// The comparison that ends or is missing comes again in a moment: the panels stay. False: it is there,
    /// or does not come.
    void keepPanels(bool kept);
    /// The panels that were open before the comparison, for a window that takes over; an empty name: the
    /// place was closed.
    const QHash<PanelPlace, QString>& beforeComparing() const { return m_beforeComparing; }
    void setBeforeComparing(const QHash<PanelPlace, QString>& panels) { m_beforeComparing = panels; }
    /// The rows keep their room, whatever the window or the drawer becomes: the drawer gives it back.
    void leaveRoomForRows();
    /// The part of layout and panels that survives a restart.
    QByteArray state() const;
    bool restore(const QByteArray& state); ///< and hides the panels; false: it is of another version
    void savePanels(); ///< and the width of the inspector

signals:
    void messages(const QString& text); ///< messages of a panel, for the status bar
    void updated(); ///< a panel has answered, or is not waited for any more
    void shown(bool wanted); ///< all of them; `wanted`: with a panel that showPanel() asked for

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QDockWidget* addDock(const PanelKind& kind, const Theme& theme);
    QWidget* makeHead(const PanelKind& kind, QDockWidget& dock);
    QLabel* makeRunNote(QWidget& head);
    /// Creates the panel's content when it is first visible: all panels at once would block the window.
    void showWhenSeen(QDockWidget& dock, Panel& panel);
    void showPanelsInFront();
    void showAll(bool shown);
    bool putBack(const QByteArray& state); ///< false: it is of another version
    void connectHistory();
    QDockWidget* dockOf(const QString& id) const;
    QDockWidget* openDock(PanelPlace place) const; ///< nullptr: the place is closed
    QString neededFor(const QString& id) const;
    QString standInFor(PanelPlace place, const QString& id);
    QString wantedFor(PanelPlace place, const QString& id) const;
    QString wantedAt(PanelPlace place) const; ///< of the open panel
    void bring(PanelPlace place, const QString& id);
    void bringDock(QDockWidget& dock); ///< as showPanel() does, but the user has not asked for it
    bool hasRoomForDrawer() const;
    void hideOthersOf(QDockWidget& dock);
    void closePanel(QDockWidget& dock);
    int usualSize(PanelPlace place) const; ///< width of the inspector, height of the drawer
    void resizePlace(QDockWidget& dock, PanelPlace place);
    void keepPlaceSize(const QDockWidget& dock); ///< unless its content has widened it
    void keepInspectorWidth();
    void arrange();

    QMainWindow& m_window;
    Session& m_session;
    ComparedTimelines& m_timelines;
    WindowActions& m_actions;
    QList<Panel*> m_panels;
    InspectorHistory* m_inspected = nullptr;
    QByteArray m_state; ///< how the panels lay when they were hidden
    QHash<PanelPlace, int> m_placeSizes; ///< before it was closed or another panel came
    QHash<PanelPlace, QString> m_lastShown; ///< the panel that was open when it was closed
    QString m_panelWanted; ///< to be brought to the front when the panels are back
    QString m_beforeDetails; ///< the panel that the details of a selection took the place of; empty: none
    QHash<PanelPlace, QString> m_replaced; ///< panels that gave way to the first one of their place
    bool m_isFromBefore = false; ///< no panel was asked for since these reports were opened
    QHash<PanelPlace, QString> m_beforeComparing; ///< see beforeComparing(); at first the default ones
    bool m_compares = false; ///< a comparison of two runs is open, for the docks
    bool m_keepsPanels = false; ///< see keepPanels()
    bool m_shown = true;
    bool m_appear = false; ///< all of them, and which are in front is not known yet
    bool m_coming = false; ///< when the current work is done
    bool m_arranged = false; ///< the docks have sizes, from the settings or by default
    static constexpr int layoutVersion = 4; ///< of the saved docks; another number discards them
};

} // namespace warpline
