#include "views/panels/marks_panel.h"

#include "core/handover/mark.h"
#include "core/table/cells.h"
#include "views/models/written_files.h"
#include "views/panels/handover_dialog.h"
#include "views/panels/layouts.h"
#include "views/panels/table_columns.h"
#include "views/panels/table_export.h"
#include "views/session/marks.h"
#include "views/session/rule_settings.h"
#include "views/style/empty_note.h"
#include "views/style/mark_color.h"
#include "views/style/text_scale.h"
#include "views/timeline/timeline_actions.h"

#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QShortcut>
#include <QSplitter>
#include <QTableView>
#include <QTextCursor>
#include <QToolButton>

#include <algorithm>

namespace warpline {

namespace {

/// The marks as a table.
Cells markCells(std::span<const Mark> marks)
{
    Cells cells;
    cells.columns = {{"text", Unit::Text}, {"start_ns", Unit::Integer}, {"end_ns", Unit::Integer},
        {"duration_ns", Unit::Integer}, {"color", Unit::Text}};
    for (const Mark& mark : marks)
        cells.addRow({mark.text, mark.range.start, mark.range.end, mark.range.duration(), mark.color});
    return cells;
}

} // namespace

MarksPanel::MarksPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_model(new MarksModel(session.marks(), theme, this)),
      m_table(new QTableView(this)),
      m_add(new QToolButton(this)),
      m_colors(new QToolButton(this)),
      m_remove(new QToolButton(this)),
      m_export(new TableExport(
          session, "marks",
          [this](std::size_t) {
              return wholeTable(std::make_shared<const Cells>(markCells(m_session.marks().all())));
          },
          this)),
      m_notes(new QPlainTextEdit(this))
{
    makeTable();
    makeButtons();
    auto* const note = new EmptyNote(*m_table, [this] {
        return m_session.hasReport() && m_session.isEmpty()
            ? tr("This report contains no events.")
            : tr("Press M to bookmark the selected range, or the time under the pointer.");
    });
    connect(&m_session, &Session::traceChanged, note, &EmptyNote::refresh);
    m_notes->setPlaceholderText(tr("Notes, saved with bookmarks and shown first in shared reports"));
    m_notes->setFrameShape(QFrame::NoFrame);
    m_notes->setTabChangesFocus(true);
    m_notes->setAccessibleName(tr("Notes"));
    auto* const bar = barLayout({m_add, m_colors, m_remove, {freeRoom, 1}, m_export});
    auto* const left = makeColumn(this, 3, {bar, {m_table, 1}});
    auto* const split = new QSplitter(this);
    fillSplitter(*split, {{left, 2}, {m_notes, 1}}, {800, 400});
    fillColumn(this, styleSpacing, {split});

    connect(&session.marks(), &Marks::currentChanged, this, &MarksPanel::follow);
    connect(&session.marks(), &Marks::changed, this, &MarksPanel::follow);
    connect(&session.marks(), &Marks::refused, this, &MarksPanel::messages);
    connect(&session.marks(), &Marks::notesChanged, this, [this] {
        if (m_notes->toPlainText() == m_session.marks().notes())
            return;
        QTextCursor cursor = m_notes->textCursor();
        const int at = cursor.position(); // where the user types
        m_notes->setPlainText(m_session.marks().notes());
        cursor.setPosition(std::min(at, m_notes->document()->characterCount() - 1));
        m_notes->setTextCursor(cursor);
    });
    connect(m_notes, &QPlainTextEdit::textChanged, this,
        [this] { m_session.marks().setNotes(m_notes->toPlainText()); });
    connect(m_export, &TableExport::messages, this, &MarksPanel::messages);
    connect(&m_page, &FileWriter::messages, this, &MarksPanel::messages);
    follow();
}

void MarksPanel::makeTable()
{
    m_table->setModel(m_model);
    stylePlainTable(*m_table);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setColumnWidth(MarksModel::Start, widthOfInstants(*m_table));
    m_table->setColumnWidth(MarksModel::Length, inTextSize(100));
    stretchColumn(*m_table, MarksModel::Text);
    connect(m_table, &QTableView::clicked, this,
        [this](const QModelIndex& index) { goToMark(m_session.time(), m_session.marks(), index.row()); });
    auto* const del = new QShortcut(QKeySequence::Delete, m_table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(del, &QShortcut::activated, this, [this] { m_session.marks().remove(chosen()); });
}

void MarksPanel::makeButtons()
{
    m_add->setText(tr("Bookmark"));
    m_add->setToolTip(tr("Bookmark the selected range, or the middle of the view"));
    connect(m_add, &QToolButton::clicked, this, [this] {
        for (const Action& action : markActions()) {
            if (QByteArrayView(action.id) == QByteArrayView("mark.add"))
                perform(action, {m_session, this, m_session.selection().currentEvent()});
        }
    });
    m_colors->setText(tr("Color"));
    m_colors->setPopupMode(QToolButton::InstantPopup);
    auto* const menu = new QMenu(m_colors);
    for (const MarkColor& color : markColors())
        menu->addAction(titleOf(color), this, [this, id = color.id] { recolor(id); });
    m_colors->setMenu(menu);
    m_remove->setText(tr("Remove"));
    connect(m_remove, &QToolButton::clicked, this, [this] { m_session.marks().remove(chosen()); });
}

void MarksPanel::setTheme(const Theme& theme)
{
    m_model->setTheme(theme);
    for (std::size_t i = 0; i < markColors().size(); ++i) {
        QPixmap swatch(12, 12);
        swatch.fill(markColor(theme, markColors()[i]));
        m_colors->menu()->actions()[static_cast<qsizetype>(i)]->setIcon(QIcon(swatch));
    }
}

int MarksPanel::chosen() const
{
    return m_session.marks().current();
}

void MarksPanel::recolor(std::string_view id)
{
    const int place = chosen();
    if (place < 0)
        return;
    Mark mark = m_session.marks().all()[static_cast<std::size_t>(place)];
    mark.color = id;
    m_session.marks().change(place, mark);
}

void MarksPanel::follow()
{
    const int place = chosen();
    m_colors->setEnabled(place >= 0);
    m_remove->setEnabled(place >= 0);
    if (place < 0)
        m_table->clearSelection();
    else if (m_table->currentIndex().row() != place || !m_table->selectionModel()->hasSelection())
        m_table->selectRow(place);
}

void MarksPanel::showReport()
{
    m_add->setEnabled(!m_session.isEmpty());
}

void MarksPanel::clear()
{
    m_add->setEnabled(!m_session.isEmpty());
}

void MarksPanel::exportReport()
{
    const auto trace = m_session.sharedTrace();
    HandoverDialog dialog(m_session, this);
    if (dialog.exec() != QDialog::Accepted || !m_page.isStill(trace)) // whose ranges and marks are chosen
        return;
    const QString path = m_page.ask(tr("Share report"), "report.html", tr("Web page (*.html)"));
    if (!path.isEmpty())
        exportReport(dialog.choice(), path);
}

void MarksPanel::exportReport(const HandoverChoice& choice, const QString& path)
{
    emit messages(tr("Writing %1 \u2026").arg(path));
    const auto settings = std::make_shared<RuleSettings>(RuleSettings::stored());
    m_page.start(
        path, [trace = m_session.sharedTrace(), choice, settings, path](const std::stop_token& stop) {
            HandoverChoice asked = choice;
            asked.thresholds = settings->overrides();
            // A page that is stopped is empty: nothing is written then.
            return saveText(
                path, stop, [&](const TextSink& sink) { return sink(handoverHtml(*trace, asked, stop)); });
        });
}

namespace {

constexpr Action marksPanelActionList[]{
    {
        .id = "marks.report",
        .text = QT_TRANSLATE_NOOP("Action", "S&hare report\u2026"),
        .help = QT_TRANSLATE_NOOP(
            "Action", "Save ranges with pictures, findings, tables, bookmarks and notes as a web page"),
        .menu = MainMenu::File,
        .submenu = QT_TRANSLATE_NOOP("Action", "&Export"),
        .enabled = areReportsRead,
        .run = [](const ActionContext& at) { at.part<MarksPanel>()->exportReport(); },
    },
};

} // namespace

extern const PanelKind marksPanel;
const PanelKind marksPanel{
    .id = "marks",
    .title = QT_TRANSLATE_NOOP("Action", "Bookmarks"),
    .help = QT_TRANSLATE_NOOP("Action", "Your bookmarks and notes"),
    .place = PanelPlace::Below,
    .keys = "Ctrl+Shift+M",
    .make = makePanel<MarksPanel>,
    .actions = marksPanelActionList,
};

} // namespace warpline
