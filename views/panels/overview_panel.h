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

/// What a report is about, for somebody who has just opened it: the largest part of its time as a headline, a
/// bar of the steady steps, the findings that come first, the checklist, and in sections that are folded at
/// first what ran, the kernels that take most, the GPUs and the machine. All follow the selected range,
/// findings and checklist the selected rows, too. Every part and sentence leads to its place in the timeline.
class OverviewPanel : public Panel {
    Q_OBJECT
public:
    OverviewPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override
    {
        return Panel::isBusy() || m_job.isBusy() || m_textTurn.isPending()
            || (m_seen && m_checklist.isBusy());
    }
    void setSeen(bool seen) override;
    void saveState(QSettings& settings) const override;
    void restoreState(const QSettings& settings) override;
    QLabel& headline() { return *m_headline; }
    OverviewBar& bar() { return *m_bar; }
    QLabel& legend() { return *m_legend; }
    QTextBrowser& text() { return *m_text; }
    /// What a link of the panel asks for: "part:2", "sentence:0", "kernel:1", "finding:tiny_grid",
    /// "section:ran", "bar:all".
    void follow(const QUrl& url);

protected:
    void showReport() override;
    void clear() override;
    void refresh() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    /// Whether the bar leaves out what savings are not measured against.
    bool folds() const;
    bool isMostlyStartUp() const; ///< the headline is of that: there is little else
    const std::vector<OverviewPart>& shownParts() const;
    void showMarked(TimeRange where); ///< of the report's own clock
    void draw();
    void drawTextSoon(); ///< when it is seen
    void drawText();
    QString textHtml() const;
    /// The heading of a section that opens and closes, and below it what `body` returns while it is open.
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
    bool m_seen = true;
    bool m_textOutdated = false; ///< it is drawn anew when it is seen
    OwnTurn m_textTurn;
    std::shared_ptr<const RunOverview> m_answer; ///< nullptr: none yet
    LatestJob m_job;
};

} // namespace warpline
