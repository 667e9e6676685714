#pragma once

#include "core/query/range_stats.h"
#include "core/workspace/clock_offset.h"
#include "views/loading/latest_job.h"
#include "views/panels/panel.h"

#include <vector>

class QLabel;
class QTextBrowser;

namespace warpline {

/// All that the trace knows of `event` as rich text: facts, links "event:KIND:INDEX" to what it is correlated
/// with, GPU metrics while it ran, call stack. `judgement`, rich text too, stands below the facts. Where
/// `clock` tells another time than the report, instants are told by both, that of the axis first.
QString eventHtml(
    const Trace& trace, EventRef event, const QString& judgement = {}, const ClockOffset& clock = {});

/// Everything about what is selected. Of the current event: what the trace knows at once, of a kernel whether
/// it is good as far as a report can say, then every column of its row in the report, its call stack, and
/// what it is correlated with as links. Without one, what is in the selected range. Of two runs that are
/// compared it is about the one in which something was selected last.
class DetailsPanel : public Panel {
    Q_OBJECT
public:
    DetailsPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return m_row.isBusy() || Panel::isBusy(); }
    QTextBrowser& text() { return *m_text; }
    void preferencesChanged() override { showReport(); } ///< lines of source are links, or no longer

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
    void setText(const QString& html);
    void readMore(EventId event); ///< what takes a look at many kernels, or at the file
    void follow(const QString& link);

    const Theme* m_theme;
    Session* m_of; ///< whose selection is shown: that of A or of B
    bool m_listensToB = false;
    QTextBrowser* m_text;
    std::vector<NameFigures> m_names; ///< of the range that is shown
    LatestJob m_row;
};

} // namespace warpline
