#pragma once

#include "core/query/range_stats.h"
#include "core/workspace/clock_offset.h"
#include "views/loading/latest_job.h"
#include "views/panels/panel.h"

#include <memory>
#include <string>
#include <vector>

class QLabel;
class QTextBrowser;

namespace warpline {

class TraceAnalysis;

/// Facts about an event that need a computation beyond its trace.
struct EventAside {
    QString peers; ///< text: how it compares with events of its name
    QString judgement; ///< rich text: whether a kernel is good
    std::string module; ///< see moduleOf()
    bool hasPanels = true; ///< the panels are about its report: links to them, "panel:ID"
};

/// Facts about `event` as rich text: name, duration, place, facts of its kind, links "event:KIND:INDEX" to
/// correlated events, GPU metrics during it, call stack. Where `clock` differs from the report's, shows
/// instants on both, the axis' first.
QString eventHtml(
    const Trace& trace, EventRef event, const EventAside& aside = {}, const ClockOffset& clock = {});
/// End, full names, ids: facts that few readers need.
QString eventIdsHtml(const Trace& trace, EventRef event, const ClockOffset& clock = {});

/// Everything about the selection. For the current event: its duration among those of its name, how good a
/// kernel is, its launch, links to correlated events, its call stack; ids and its row in the report on
/// request. Without an event, the selected range. With two compared runs it follows the one with the latest
/// selection.
class DetailsPanel : public Panel {
    Q_OBJECT
public:
    DetailsPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return m_row.isBusy() || Panel::isBusy(); }
    QTextBrowser& text() { return *m_text; }
    void preferencesChanged() override { showCurrent(); } ///< lines of source are links, or no longer
    void saveState(QSettings& settings) const override;
    void restoreState(const QSettings& settings) override;

protected:
    void showReport() override { } // signals of the session lead to showCurrent()
    void clear() override;
    void refresh() override; ///< of the selected range
    void changeEvent(QEvent* event) override;

private:
    void listenTo(Session& side);
    void showSelected(); ///< of the side that has something
    QString sideHtml() const; ///< which run it is of, where two are compared
    void showDetails(EventId event);
    void showCurrent() { showDetails(m_of->selection().currentEvent()); }
    QString eventText(EventId event, const QString& judgement = {}, const std::string& module = {}) const;
    QString moreHtml(EventId event, const QString& row) const; ///< folded until the user opens it
    void setText(const QString& html);
    void readMore(EventId event); ///< needs many kernels, or the file
    void follow(const QString& link);

    const Theme* m_theme;
    Session* m_of; ///< the session with the shown selection: A or B
    bool m_listensToB = false;
    bool m_showsMore = false; ///< ids and the row of the report
    QTextBrowser* m_text;
    std::vector<NameFigures> m_names; ///< of the range that is shown
    std::shared_ptr<const TraceAnalysis> m_analysis; ///< of m_analyzed: its kernels share the waits for pages
    std::weak_ptr<const Trace> m_analyzed;
    LatestJob m_row;
};

} // namespace warpline
