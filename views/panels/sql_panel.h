#pragma once

#include "core/sql/sql_session.h"
#include "views/loading/latest_job.h"
#include "views/models/stats_model.h"
#include "views/panels/panel.h"

#include <QLabel>

class QLineEdit;
class QTableView;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace warpline {

class SqlEditor;
class TableExport;

/// SQL queries on the open export: prepared ones, views and tables on the left, the statement and its result
/// on the right. Read-only. A line with times links to its event.
class SqlPanel : public Panel {
    Q_OBJECT
public:
    explicit SqlPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return m_job.isBusy() || m_model->isOrdering() || Panel::isBusy(); }
    void saveState(QSettings& settings) const override;
    void restoreState(const QSettings& settings) override;
    SqlEditor& editor() { return *m_editor; }
    QTreeWidget& names() { return *m_names; }
    StatsModel& model() { return *m_model; }
    QTableView& table() { return *m_table; }
    QLineEdit& search() { return *m_search; }
    QString state() const { return m_state->text(); }
    void ask(); ///< the text of the editor
    void stop(); ///< the running query
    void showAsRow(); ///< pins the result to the top of the timeline
    QToolButton& rowButton() { return *m_row; }

    QStringList commandWords() const override;

protected:
    void showReport() override;
    void clear() override;

private:
    void setState(const QString& text); ///< takes no room without a text
    void showProblem(const QString& text); ///< the same in the colour of problems
    void makeTable();
    QWidget* makeRight();
    void showNames(const std::vector<SqlTable>& tables);
    void nameChosen(QTreeWidgetItem* item);
    void showAnswer(const SqlAnswer& answer);
    void goToLine(int line);
    /// The first table or view of the query, if it has rowids; nullptr: it has none, or is unknown.
    const SqlTable* askedTable() const;
    void offerRow(); ///< for results with times; otherwise the button shows the reason

    const Theme* m_theme;
    QTreeWidget* m_names;
    SqlEditor* m_editor;
    QToolButton* m_ask;
    QToolButton* m_stop;
    QToolButton* m_row;
    QLineEdit* m_search;
    QLabel* m_state;
    StatsModel* m_model;
    QTableView* m_table;
    TableExport* m_export;
    std::shared_ptr<const Cells> m_cells;
    std::vector<SqlTable> m_tables; ///< available tables
    QString m_asked; ///< the query of the result: the editor may have another one by now
    bool m_hasProblem = false; ///< it is the state
    LatestJob m_list{JobPool::files()};
    LatestJob m_job{JobPool::files()};
};

} // namespace warpline
