#pragma once

#include "core/overview/overview.h"
#include "views/loading/latest_job.h"
#include "views/loading/own_turn.h"
#include "views/panels/panel.h"
#include "views/session/checklist_judge.h"

#include <QStringList>

#include <memory>
#include <vector>

class QLabel;
class QTextBrowser;
class QUrl;

namespace warpline {

class OverviewBar;
struct LateVerdict;

/// Overview of a report: the largest part of its time as a headline, a bar of the steady steps, the leading
/// findings, the checklist, and in collapsed sections what ran, the longest kernels, the GPUs and the
/// machine. All follow the selected range; findings and checklist also the selected rows. Every part and
/// sentence links to its place in the timeline.
class OverviewPanel : public Panel {
    Q_OBJECT
public:
    OverviewPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override
    {
        return Panel::isBusy() || m_job.isBusy() || m_textTurn.isPending()
            || (isInFront() && m_checklist.isBusy());
    }
    void setInFront(bool inFront) override;
    void saveState(QSettings& settings) const override;
    void restoreState(const QSettings& settings) override;
    LeftOut leftOut() const override { return {.rows = true}; }
    QLabel& headline() { return *m_headline; }
    OverviewBar& bar() { return *m_bar; }
    QLabel& legend() { return *m_legend; }
    QTextBrowser& text() { return *m_text; }
    /// Follows a link of the panel: "part:2", "sentence:0", "kernel:1", "finding:tiny_grid", "section:ran",
    /// "bar:all".
    void follow(const QUrl& url);

protected:
    void showReport() override;
    void clear() override;
    void refresh() override;
    void setSeen(bool seen) override { m_checklist.setSeen(*this, seen); }

private:
    /// Whether the bar shows only the measured time.
    bool folds() const;
    bool isMostlyStartUp() const; ///< the headline is of that: there is little else
    const std::vector<OverviewPart>& shownParts() const;
    void showMarked(TimeRange where); ///< of the report's own clock
    void draw();
    void drawTextSoon(); ///< when it is seen
    void drawText();
    QString textHtml() const;
    /// The heading of a collapsible section, with the result of `body` below it while it is open.
    QString sectionHtml(
        const QString& id, const QString& title, QString (OverviewPanel::*body)() const) const;
    QString storyHtml() const;
    const LateVerdict* rankVerdict() const;
    QString headlineText() const;
    QString verdictHtml() const;
    QString findingsHtml() const;
    QString checklistHtml() const;
    QString kernelsHtml() const;
    QString gpusHtml() const;
    QString machineHtml() const;

    const Theme* m_theme;
    ChecklistJudge& m_checklist;
    QLabel* m_headline;
    OverviewBar* m_bar;
    QLabel* m_legend;
    QTextBrowser* m_text;
    QStringList m_open; ///< sections
    bool m_otherBar = false; ///< the bar is of the whole report, or without start-up if isMostlyStartUp()
    bool m_textOutdated = false; ///< drawn again when it becomes visible
    OwnTurn m_textTurn;
    std::shared_ptr<const RunOverview> m_answer; ///< nullptr: none yet
    LatestJob m_job;
};

} // namespace warpline
