#pragma once

#include "core/table/cells.h"
#include "views/loading/latest_job.h"
#include "views/models/written_files.h"

#include <QToolButton>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

class QAbstractItemModel;
class QAbstractItemView;
class QMenu;

namespace warpline {

class Session;

/// Lines that a copy may have: more would fill the clipboard of the desktop.
inline constexpr std::size_t mostCopied = 1'000'000;

/// The lines of a table as they are shown: rows `order` of `cells`, in that order.
struct ShownTable {
    std::shared_ptr<const Cells> cells = std::make_shared<const Cells>();
    std::vector<std::uint32_t> order;
    std::size_t leftOut = 0; ///< lines behind those
};

/// All lines of `cells`.
ShownTable wholeTable(std::shared_ptr<const Cells> cells);

/// The content of `model`: for a StatsModel and an EventsModel its cells; otherwise plain
/// numbers in the columns that name a unit (unitRole), with the unit in the head, and texts in the others: of
/// the first `most` lines, since these are made at once.
ShownTable shownTable(
    const QAbstractItemModel& model, std::size_t most = std::numeric_limits<std::size_t>::max());

/// The export button of a table: copies it for a spreadsheet, as CSV, Markdown or JSON, or writes it to a
/// file. Shared by all panels, so that each table has all formats. Makes texts off the GUI thread.
class TableExport : public QToolButton {
    Q_OBJECT
public:
    /// The content of a table, of which `most` lines are used.
    using Content = std::function<ShownTable(std::size_t most)>;
    /// `ending` follows the report's name in file names: "answer"; `table` returns the content on request.
    TableExport(Session& session, QString ending, Content table, QWidget* parent);

    /// Changes the suffix of file names with the content.
    void setEnding(const QString& ending) { m_ending = ending; }
    /// Opens the same menu where the right mouse button is pressed in `view`.
    void serve(QAbstractItemView& view);
    /// `format`: "tsv", "csv", "markdown", "json". Lines beyond `most` are a matter for a file; messages()
    /// say so.
    void copyAs(const QString& format, std::size_t most = mostCopied);
    void askForFile();
    void write(const QString& path); ///< format by extension: .csv, .tsv, .md, .json
    bool isBusy() const { return m_job.isBusy() || m_writer.isBusy(); }

signals:
    void messages(const QString& text); ///< for the status bar

private:
    /// Whether there is a table; otherwise shows a message, and writes no empty file.
    bool isThere(const ShownTable& table);

    Session& m_session;
    QString m_ending;
    Content m_table;
    LatestJob m_job;
    FileWriter m_writer{&m_session, this};
};

/// Adds an export context menu to each table of `panel` without a menu of its own; `ending` names files.
/// Messages come from the returned objects, which `panel` owns.
std::vector<TableExport*> offerTables(QWidget& panel, Session& session, const QString& ending);

} // namespace warpline
