#pragma once

#include "views/models/cells_model.h"
#include "views/panels/panel.h"
#include "views/session/rank_judge.h"

#include <QList>

#include <array>
#include <utility>

class QLabel;
class QSplitter;
class QTableView;
class QTabWidget;
class QTextBrowser;

namespace warpline {

class EmptyState;
class RankMapPanel;

/// Tables of ranks, of collectives by kind and size, of the selected exchange, and the findings across ranks.
/// Verdict and map are in RankMapPanel.
class RanksPanel : public Panel {
    Q_OBJECT
public:
    /// `withMap`: the map stands to the left of the tables, for where there is no inspector.
    RanksPanel(Session& session, const Theme& theme, QWidget* parent = nullptr, bool withMap = true);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return isVisible() && m_session.judgement().ranks().isBusy(); }

    RankMapPanel* map() { return m_map; } ///< nullptr: without
    /// The tab in front and the selected lines: of each table CellsModel::Line::id, or -1.
    struct Choice {
        int tab = 0;
        QList<qint64> lines;
    };
    Choice choice() const;
    void restoreChoice(const Choice& choice); ///< goes nowhere
    QTabWidget& tabs() { return *m_tabs; }
    QTableView& rankTable() { return *m_rankTable; }
    QTableView& kindTable() { return *m_kindTable; }
    QTableView& exchangeTable() { return *m_exchangeTable; }
    QTableView& findingTable() { return *m_findingTable; }

protected:
    void showReport() override;
    void clear() override;
    void showEvent(QShowEvent* event) override;

private:
    QTableView* makeTable(CellsModel& model, const QString& title);
    void connectTables();
    std::array<std::pair<QTableView*, const CellsModel*>, 4> tables() const;
    void fill(); ///< all that is known
    void showFinding(int row);
    void showExchange(); ///< the one that the current event is part of
    void markKind(std::size_t kind);

    QWidget* makeFleetBar();

    std::shared_ptr<const AcrossReport> m_across; ///< the shown analysis
    QWidget* m_fleetBar;
    QLabel* m_fleetName;
    RankMapPanel* m_map;
    EmptyState* m_empty;
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
