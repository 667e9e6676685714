#pragma once

#include "core/overview/overview.h"
#include "views/loading/latest_job.h"
#include "views/loading/own_turn.h"
#include "views/panels/panel.h"

#include <memory>

class QLabel;
class QTextBrowser;
class QUrl;

namespace warpline {

class OverviewBar;

/// What a report is about, for somebody who has just opened it: where the time of the run went, as a bar and
/// in sentences; what to look at first; the kernels that take most and what can be said of them. It is about
/// the whole report, whatever is selected. Every part and sentence leads to its place in the timeline.
class OverviewPanel : public Panel {
    Q_OBJECT
public:
    OverviewPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return m_job.isBusy() || m_moreTurn.isPending(); }
    void setSeen(bool seen) override;
    OverviewBar& bar() { return *m_bar; }
    QLabel& legend() { return *m_legend; }
    QTextBrowser& story() { return *m_story; } ///< the sentences
    QTextBrowser& more() { return *m_more; } ///< findings, kernels, GPUs, machine
    /// What a link of the panel asks for: "part:2", "phase:2:0", "sentence:0", "kernel:1",
    /// "finding:tiny_grid".
    void follow(const QUrl& url);

protected:
    void showReport() override;
    void clear() override;

private:
    void showMarked(TimeRange where); ///< of the report's own clock
    void showPhase(std::size_t part, std::size_t phase);
    void draw();
    void drawMoreSoon(); ///< when it is seen
    void drawMore(); ///< the right side alone
    QString storyHtml() const;
    QString moreHtml() const;
    QString verdictHtml() const;
    QString findingsHtml() const;
    QString kernelsHtml() const;
    QString gpusHtml() const;
    QString legendHtml() const;

    const Theme* m_theme;
    OverviewBar* m_bar;
    QLabel* m_legend;
    QTextBrowser* m_story;
    QTextBrowser* m_more;
    bool m_seen = true;
    bool m_moreOutdated = false; ///< it is drawn anew when it is seen
    OwnTurn m_moreTurn;
    std::shared_ptr<const RunOverview> m_overview; ///< nullptr: none yet
    LatestJob m_job;
};

} // namespace warpline
