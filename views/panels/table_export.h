#pragma once

#include "core/table/cells.h"
#include "views/loading/latest_job.h"

#include <QToolButton>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

class QAbstractItemModel;
class QAbstractItemView;
class QMenu;

namespace warpline {

class Session;

/// The lines of a table as they are shown: rows `order` of `cells`, in that order.
struct ShownTable {
    std::shared_ptr<const Cells> cells = std::make_shared<const Cells>();
    std::vector<std::uint32_t> order;
};

/// What `model` shows, as many lines as `most` allows: of a StatsModel its cells; of any other plain numbers in
/// the columns that name a unit (unitRole), with the unit in the head, and texts in the others.
ShownTable shownTable(const QAbstractItemModel& model, int most = 1'000'000);

/// The button of a table that hands it on: copied for a spreadsheet, as CSV, Markdown or JSON, or written to
/// a file. The one piece for all panels, so that each table can be had in each form. Texts are made off the
/// GUI thread.
class TableExport : public QToolButton {
    Q_OBJECT
public:
    /// `ending` names files behind the report's name: "answer"; `table` tells what is shown when it is asked
    /// for.
    TableExport(Session& session, QString ending, std::function<ShownTable()> table, QWidget* parent);

    /// Another name for files, where what is shown changes.
    void setEnding(const QString& ending) { m_ending = ending; }
    /// Opens the same menu where the right mouse button is pressed in `view`.
    void serve(QAbstractItemView& view);
    void copyAs(const QString& format); ///< "tsv", "csv", "markdown", "json"
    void askForFile();
    void write(const QString& path); ///< as its ending says: .csv, .tsv, .md, .json
    bool isBusy() const { return m_job.isBusy(); }

signals:
    void messages(const QString& text); ///< for the status bar

private:
    /// Whether there is a table; else it says so, and no empty file is written.
    bool isThere(const ShownTable& table);

    Session& m_session;
    QString m_ending;
    std::function<ShownTable()> m_table;
    LatestJob m_job;
};

/// Lets the right mouse button hand on each table of `panel` that has no menu of its own, so that there is
/// none that cannot be copied or written; `ending` names files. What is said goes to TableExport::messages()
/// of the objects returned, which `panel` owns.
std::vector<TableExport*> offerTables(QWidget& panel, Session& session, const QString& ending);

} // namespace warpline
