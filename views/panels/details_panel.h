#pragma once

#include "core/query/range_stats.h"
#include "core/workspace/clock_offset.h"
#include "views/loading/latest_job.h"
#include "views/panels/panel.h"

#include <vector>

class QLabel;
class QTextBrowser;

namespace warpline {

/// What is found out about an event beside what its trace holds.
struct EventAside {
    QString peers; ///< text: how it compares with events of its name
    QString judgement; ///< rich text: whether a kernel is good
};

/// What the trace knows of `event` as rich text: name, duration, where it ran, facts of its kind, links
/// "event:KIND:INDEX" to what it is correlated with, GPU metrics while it ran, call stack. Where `clock`
/// tells another time than the report, instants are shown in both, that of the axis first.
QString eventHtml(
    const Trace& trace, EventRef event, const EventAside& aside = {}, const ClockOffset& clock = {});
/// End, full names, ids: what few look for.
QString eventIdsHtml(const Trace& trace, EventRef event, const ClockOffset& clock = {});

/// Everything about what is selected. Of the current event: its duration against those of its name, of a
/// kernel whether it is good as far as a report can say, then how it was launched, what it is correlated with
/// as links, its call stack; ids and its row in the report when asked for. Without one, what is in the
/// selected range. Of two runs that are compared it is about the one in which something was selected last.
class DetailsPanel : public Panel {
    Q_OBJECT
public:
    DetailsPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return m_row.isBusy() || Panel::isBusy(); }
    QTextBrowser& text() { return *m_text; }
    void preferencesChanged() override { showReport(); } ///< lines of source are links, or no longer
    void saveState(QSettings& settings) const override;
    void restoreState(const QSettings& settings) override;

protected:
    void showReport() override;
    void clear() override;
    void refresh() override; ///< of the selected range
    void changeEvent(QEvent* event) override;

private:
    void listenTo(Session& side);
    void showSelected(); ///< of the side that has something
    QString sideHtml() const; ///< which run it is of, where two are compared
    void showDetails(EventId event);
    QString eventText(EventId event, const QString& judgement = {}) const;
    QString moreHtml(EventId event, const QString& row) const; ///< folded until asked for
    void setText(const QString& html);
    void readMore(EventId event); ///< what takes a look at many kernels, or at the file
    void follow(const QString& link);

    const Theme* m_theme;
    Session* m_of; ///< whose selection is shown: that of A or of B
    bool m_listensToB = false;
    bool m_showsMore = false; ///< ids and the row of the report
    QTextBrowser* m_text;
    std::vector<NameFigures> m_names; ///< of the range that is shown
    LatestJob m_row;
};

} // namespace warpline
