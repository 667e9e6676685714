#pragma once

#include "core/base/message.h"
#include "core/operators/operator_rooflines.h"
#include "views/loading/latest_job.h"
#include "views/models/cells_model.h"
#include "views/panels/panel.h"
#include "views/panels/roofline_plot.h"
#include "views/session/row_scope.h"

#include <map>
#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QSplitter;
class QTableView;

namespace warpline {

class EmptyNote;

/// By ShapeUse::shape, of calls on all GPUs: the modules around them, that with the most GPU time first.
using ShapeModules = std::map<std::uint32_t, QStringList>;

/// The panel's data for one GPU.
struct RooflineAnswer {
    std::shared_ptr<const OperatorRooflines> rooflines;
    std::vector<std::size_t> listed; ///< places in rooflines->gpus(): those of the selected rows
    std::size_t gpu = 0; ///< index of the shown one
    TimeRange window;
    std::vector<ShapeUse> uses; ///< the longest first
    std::shared_ptr<const ShapeModules> modules; ///< of `window`; set where there are `uses`
    WorkSums sums;
    Ns kernels = 0; ///< time of all work of operators on the GPU
    std::size_t products = 0; ///< product kernels without shapes, where no operator has any
    std::size_t bounded = 0; ///< of these, products bounded by their name and grid
    Message advice; ///< which option records shapes
    QString metrics; ///< GPU metrics to compare with the model; empty: not recorded
    double clockHz = 0; ///< the mean while kernels ran; 0: not recorded
};

/// How well operators use their GPU: a roofline plot with a point per operator and shape, and the same as a
/// table. A click on a point or a line goes to its kernels in the timeline.
class RooflinePanel : public Panel {
    Q_OBJECT
public:
    RooflinePanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return m_job.isBusy() || Panel::isBusy(); }
    LeftOut leftOut() const override;

    const RooflineAnswer* answer() const { return m_answer.get(); }
    RooflinePlot& plot() { return *m_plot; }
    QTableView& table() { return *m_table; }
    QComboBox& gpus() { return *m_gpu; }

protected:
    void showReport() override;
    void clear() override;
    void refresh() override;

private:
    void show(std::shared_ptr<const RooflineAnswer> answer);
    const OperatorGpu* chosenGpu() const; ///< nullptr: no operator in the scope uses one
    void listGpus();
    void draw();
    QString note() const; ///< why there is nothing
    QString modulesText(std::uint32_t shape) const;
    void fillTable();
    void choose(std::size_t use); ///< marks its kernels and goes to the longest
    void markRow(std::size_t use);
    const OperatorShape& shapeOf(const ShapeUse& use) const
    {
        return m_answer->rooflines->works().shapes[use.shape];
    }
    QColor colorOf(const OperatorShape& shape) const;

    const Theme* m_theme;
    std::shared_ptr<const RooflineAnswer> m_answer;
    RowScope m_scope; ///< the requested ones
    std::vector<std::size_t> m_useOfPoint; ///< place in RooflineAnswer::uses
    QComboBox* m_gpu;
    QLabel* m_summary;
    QLabel* m_legend;
    QSplitter* m_splitter;
    RooflinePlot* m_plot;
    CellsModel* m_lines;
    QTableView* m_table;
    EmptyNote* m_note;
    LatestJob m_job;
};

} // namespace warpline
