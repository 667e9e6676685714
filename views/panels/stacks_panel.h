#pragma once

#include "views/loading/latest_job.h"
#include "views/panels/flame_graph.h"
#include "views/panels/panel.h"
#include "views/style/elided_label.h"

#include <optional>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QScrollArea;

namespace warpline {

class RangeNotice;

/// Where time went by stacks, as a flame graph: CPU samples, blocked calls, NVTX ranges on host and GPU, CUDA
/// calls; of all threads or one, of the whole report or the selected range.
class StacksPanel : public Panel {
    Q_OBJECT
public:
    StacksPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return m_offering.isBusy() || m_job.isBusy() || Panel::isBusy(); }
    void saveState(QSettings& settings) const override;
    void restoreState(const QSettings& settings) override;
    FlameGraph& graph() { return *m_graph; }
    QComboBox& sources() { return *m_source; }
    QComboBox& threads() { return *m_thread; }
    QCheckBox& callers() { return *m_callers; }
    QLineEdit& search() { return *m_search; }
    const QString& state() const { return m_state->whole(); }
    QStringList commandWords() const override;
    LeftOut leftOut() const override { return {.rows = followsRows()}; }

protected:
    void showReport() override;
    void clear() override;
    void refresh() override;

private:
    /// The available choices for a report.
    struct Offer {
        std::vector<const TimeTreeSource*> sources;
        /// Recorded samples that are not in the report, with the reason.
        std::vector<std::pair<const TimeTreeSource*, QString>> missing;
        std::vector<std::pair<GlobalId, QString>> threads;
    };
    static Offer offerOf(const Trace& trace, const std::stop_token& stop); ///< may read all events
    void showOffer(const Offer& offer);
    void tellMatches();
    const TimeTreeSource* chosen() const;
    TimeTreeQuery query() const;
    bool followsRows() const; ///< the selected rows narrow it: they have threads, and no other is chosen
    void showFollowed();
    /// Marks the events of the box `node` in the timeline while the mouse is on the box.
    void light(std::uint32_t node);
    Selection::Highlighted mark(Selection::Highlighted next); ///< for light(); returns the marks before

    QComboBox* m_source;
    QComboBox* m_thread;
    QCheckBox* m_callers;
    QLineEdit* m_search;
    RangeNotice* m_notice;
    ElidedLabel* m_state;
    QLabel* m_pointed; ///< the frame under the mouse
    FlameGraph* m_graph;
    QScrollArea* m_area;
    LatestJob m_offering;
    LatestJob m_job;
    LatestJob m_lighting;
    /// The marks that those of the box replaced; nothing: no box is marked, or others came since.
    std::optional<Selection::Highlighted> m_before;
    TimeRange m_markedRange; ///< as last seen: if it changed, a signal is about it and not about events
    bool m_isMarking = false; ///< the marks change because of the mouse
    QString m_wanted; ///< the source that the user chose last, whether or not this report has it
};

} // namespace warpline
