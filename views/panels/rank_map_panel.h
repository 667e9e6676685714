#pragma once

#include "core/across/across_report.h"
#include "views/panels/panel.h"
#include "views/panels/rank_heat_map.h"
#include "views/session/rank_judge.h"

class QComboBox;
class QLabel;

namespace warpline {

class EmptyState;

/// The shown analysis across ranks: a fleet's, else that of the open reports; nullptr: none yet.
std::shared_ptr<const AcrossReport> shownAcross(Session& session);
/// Whether `across` is the summary of a fleet: its reports need not be open.
bool isOfFleet(Session& session, const std::shared_ptr<const AcrossReport>& across);
/// Shows the step on that rank in the timeline, or asks for its report where it is not open.
void goToStepOfRank(
    Session& session, const std::shared_ptr<const AcrossReport>& across, std::size_t rank, std::size_t step);

/// Which rank comes late and why: the verdict as sentences, and ranks and steps as a heat map. The tables
/// behind it are the RanksPanel's.
class RankMapPanel : public Panel {
    Q_OBJECT
public:
    RankMapPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return isVisible() && m_session.judgement().ranks().isBusy(); }
    void saveState(QSettings& settings) const override;
    void restoreState(const QSettings& settings) override;
    QSize sizeHint() const override;

    const QLabel& headline() const { return *m_headline; }
    const QLabel& verdict() const { return *m_verdict; }
    RankHeatMap& map() { return *m_map; }
    QComboBox& measures() { return *m_measures; }
    void goToStep(std::size_t rank, std::size_t step);

protected:
    void showReport() override;
    void clear() override;
    void showEvent(QShowEvent* event) override;

private:
    void fill(); ///< all that is known
    void showVerdict();

    const Theme* m_theme;
    std::shared_ptr<const AcrossReport> m_across; ///< the shown analysis
    QWidget* m_page; ///< scrolls where there is no room for all
    EmptyState* m_empty; ///< there is one rank
    QLabel* m_headline;
    QLabel* m_verdict;
    QLabel* m_notes;
    QWidget* m_body; ///< measures and map
    QComboBox* m_measures;
    RankHeatMap* m_map;
};

} // namespace warpline
