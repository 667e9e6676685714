#pragma once

#include "core/query/name_answer.h"
#include "core/query/name_groups.h"
#include "views/loading/latest_job.h"
#include "views/models/cells_model.h"
#include "views/panels/name_histogram.h"
#include "views/panels/name_pace_chart.h"
#include "views/panels/panel.h"
#include "views/session/filter_edit.h"
#include "views/style/elided_label.h"

#include <QLabel>

class QCheckBox;
class QComboBox;
class QTableView;
class QToolButton;

namespace warpline {

/// All events with the name of the current one: statistics, histogram, durations over time, groups. Brushing
/// the histogram narrows the events panel and marks the events in the timeline.
class NamePanel : public Panel {
    Q_OBJECT
public:
    NamePanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override
    {
        return m_job.isBusy() || m_groupJob.isBusy() || m_rankJob.isBusy() || Panel::isBusy();
    }
    void saveState(QSettings& settings) const override;
    void restoreState(const QSettings& settings) override;

    const std::shared_ptr<const NameAnswer>& answer() const { return m_answer; }
    const std::vector<NameGroup>& groups() const { return m_found; }
    const std::optional<NamedQuery>& query() const { return m_query; }
    /// The filter that lists the panel's events, of the brushed durations alone where there is a brush.
    EventFilter shownFilter() const;
    QStringList commandWords() const override;
    NameHistogram& histogram() { return *m_histogram; }
    NamePaceChart& paceChart() { return *m_pace; }
    FilterEdit& filter() { return *m_filter; }
    QComboBox& forms() { return *m_form; }
    QComboBox& groupings() { return *m_grouping; }
    QComboBox& weights() { return *m_weight; }
    QComboBox& axes() { return *m_axis; }
    QComboBox& paces() { return *m_order; }
    QToolButton& keep() { return *m_keep; }
    QToolButton& longest() { return *m_longest; }
    QToolButton& shortest() { return *m_shortest; }
    QToolButton& median() { return *m_median; }
    QTableView& table() { return *m_table; }
    QString title() const { return m_title->whole(); }
    QString figures() const { return m_figures->text(); }
    QString brushText() const { return m_brushText->whole(); }

protected:
    void showReport() override;
    void clear() override;
    void refresh() override;

private:
    QWidget* makeFigures();
    QWidget* makeCharts();
    QWidget* makeGroups();
    QLayout* makeBar();
    void connectParts();
    void followCurrent();
    void followHighlights();
    void ask(EventRef event);
    void fillGroupings();
    void showAnswer(std::shared_ptr<const NameAnswer> answer);
    void showFigures();
    void requestGroups();
    void showGroups();
    NameGroupQuery groupQuery() const;
    void showHint();
    void showParts(bool shown); ///< charts and groups
    void markCurrent();
    void brush();
    void brushFiltered(); ///< the durations of a filter that a brush has set
    void showBrush(); ///< its text
    void endBrush(); ///< with its filter and marks
    void goTo(EventIndex event);
    bool holdsCurrent() const;

    std::optional<NamedQuery> m_query; ///< without range and filter; nothing: nothing was chosen yet
    EventRef m_asked; ///< the event with the requested name
    std::shared_ptr<const NameAnswer> m_answer;
    std::vector<NameGroup> m_found; ///< the groups of the answer's events
    std::uint64_t m_shorter = 0; ///< than the current event
    bool m_rankKnown = false;
    bool m_brushing = false; ///< the session's filter changes because of the brush
    QString m_narrowing; ///< the filter field's text when it last was a filter
    QString m_wantedGrouping; ///< the user's last choice, whether or not this kind supports it

    ElidedLabel* m_title;
    QComboBox* m_form;
    FilterEdit* m_filter;
    QToolButton* m_keep;
    QLabel* m_figures;
    QToolButton* m_shortest;
    QToolButton* m_median;
    QToolButton* m_longest;
    QComboBox* m_weight;
    QComboBox* m_axis;
    QComboBox* m_order;
    ElidedLabel* m_brushText;
    NameHistogram* m_histogram;
    NamePaceChart* m_pace;
    QComboBox* m_grouping;
    CellsModel* m_groups;
    QTableView* m_table;
    LatestJob m_job;
    LatestJob m_groupJob;
    LatestJob m_rankJob;
};

} // namespace warpline
