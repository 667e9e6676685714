#pragma once

#include "views/models/cells_model.h"
#include "views/panels/panel.h"
#include "views/panels/rank_heat_map.h"
#include "views/session/rank_judge.h"

class QComboBox;
class QLabel;
class QSplitter;
class QTableView;
class QTabWidget;
class QTextBrowser;

namespace warpline {

/// Which rank came late, what it cost the others, and why: the verdict as a sentence, ranks and steps as a
/// heat map, tables of ranks, of collectives by kind and size, of the exchange that is selected, and what was
/// found across the ranks.
class RanksPanel : public Panel {
    Q_OBJECT
public:
    RanksPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return isVisible() && m_session.ranks().isBusy(); }
    void saveState(QSettings& settings) const override;
    void restoreState(const QSettings& settings) override;

    const QLabel& verdict() const { return *m_verdict; }
    RankHeatMap& map() { return *m_map; }
    QComboBox& measures() { return *m_measures; }
    QTabWidget& tabs() { return *m_tabs; }
    QTableView& rankTable() { return *m_rankTable; }
    QTableView& kindTable() { return *m_kindTable; }
    QTableView& exchangeTable() { return *m_exchangeTable; }
    QTableView& findingTable() { return *m_findingTable; }

    /// Shows the step on that rank in the timeline.
    void goToStep(std::size_t rank, std::size_t step);

protected:
    void showReport() override;
    void clear() override { fill(); }
    void showEvent(QShowEvent* event) override;

private:
    QTableView* makeTable(CellsModel& model, const QString& title);
    void connectTables();
    void fill(); ///< all that is known
    void showVerdict();
    void showFinding(int row);
    void showExchange(); ///< the one that the current event is part of
    void markKind(std::size_t kind);

    const Theme* m_theme;
    bool isOfFleet() const; ///< what is shown: its reports need not be open
    std::shared_ptr<const AcrossReport> wanted() const; ///< the summary of a fleet, else of what is open
    QWidget* makeFleetBar();

    std::shared_ptr<const AcrossReport> m_across; ///< what is shown
    QWidget* m_fleetBar;
    QLabel* m_fleetName;
    QLabel* m_verdict;
    QLabel* m_notes;
    QComboBox* m_measures;
    RankHeatMap* m_map;
    QSplitter* m_splitter;
    bool m_isSplitByHand = false;
    QTabWidget* m_tabs;
    CellsModel m_ranks;
    CellsModel m_kinds;
    CellsModel m_exchange;
    CellsModel m_findings;
    QTableView* m_rankTable;
    QTableView* m_kindTable;
    QTableView* m_exchangeTable;
    QTableView* m_findingTable;
    QTextBrowser* m_findingText;
};

} // namespace warpline
