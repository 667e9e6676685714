#include "app/command_palette.h"

#include "app/actions/all_actions.h"
#include "app/fuzzy_match.h"
#include "app/window_actions.h"
#include "views/actions/action_keys.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"
#include "views/timeline/row_filter.h"

#include <QAction>
#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>
#include <utility>

namespace warpline {

namespace {

constexpr qsizetype maxRecent = 12;
constexpr std::size_t maxShown = 100; ///< further results need more letters
constexpr auto recentKey = "palette/recent";
constexpr auto placeRole = Qt::UserRole;

/// Cuts the end of a help text; the list cuts the middle.
class HelpDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
    }
};

} // namespace

CommandPalette::CommandPalette(WindowActions& actions, Session& session, Finds finds, QWidget* parent)
    : QDialog(parent),
      m_actions(actions),
      m_session(session),
      m_finds(finds),
      m_edit(new QLineEdit(this)),
      m_list(new QTreeWidget(this)),
      m_hint(new QLabel(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(finds == Finds::Rows ? tr("Go to a row") : tr("Command palette"));
    m_edit->setObjectName("palette");
    m_edit->setAccessibleName(windowTitle());
    m_edit->setPlaceholderText(
        finds == Finds::Rows ? tr("Search rows; > searches commands") : tr("Search commands and rows"));
    m_edit->installEventFilter(this);
    m_list->setAccessibleName(tr("Results"));
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setFocusPolicy(Qt::NoFocus); // the field keeps the keyboard, and moves the line
    m_list->setColumnCount(3);
    m_list->header()->setStretchLastSection(false);
    m_list->setTextElideMode(Qt::ElideMiddle); // both ends of a row's path matter
    m_list->setItemDelegateForColumn(1, new HelpDelegate(m_list));
    m_list->header()->setSectionResizeMode(0, QHeaderView::Interactive);
    m_list->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    auto* const layout = new QVBoxLayout(this);
    layout->addWidget(m_edit);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_hint);
    gatherActions();
    gatherRows();
    if (parent) // where no window manager gives the keyboard back
        connect(this, &QDialog::finished, parent, &QWidget::activateWindow);
    // Rows are known by numbers, which are others as soon as more of a report is there, or another one.
    for (const auto changed : {&Session::traceChanged, &Session::exchangesReplaced})
        connect(&session, changed, this, [this] {
            std::erase_if(m_entries, [](const Entry& entry) { return !entry.action; });
            gatherRows();
            fill();
        });
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_edit, &QLineEdit::returnPressed, this, [this] { choose(m_list->currentItem()); });
    connect(m_list, &QTreeWidget::itemClicked, this, &CommandPalette::choose);
    fill();
}

QStringList CommandPalette::recent()
{
    return QSettings().value(recentKey).toStringList();
}

void CommandPalette::open()
{
    constexpr QSize wanted(900, 460);
    const QWidget* const over = parentWidget();
    const QSize room = over ? over->size() : wanted;
    resize(wanted.boundedTo(room));
    constexpr double ofNames = 0.45; // of the width
    constexpr double ofRows = 0.8;
    m_list->setColumnWidth(0, static_cast<int>(width() * (m_finds == Finds::Rows ? ofRows : ofNames)));
    if (over)
        move(over->mapToGlobal(QPoint((room.width() - width()) / 2, room.height() / 12)));
    m_edit->setFocus();
    QDialog::open();
}

void CommandPalette::gatherActions()
{
    m_actions.update();
    const QStringList used = recent();
    for (const Action* const action : allActions()) {
        const auto place = static_cast<int>(used.indexOf(action->id));
        Entry entry{action, RowTree::root, plainText(*action), helpText(*action), keysText(keysOf(*action)),
            m_actions.find(action->id)->isEnabled(), place < 0 ? 0 : static_cast<int>(maxRecent) - place};
        if (const QString english = englishText(*action);
            english != entry.text) // manuals and forums name it so
            entry.otherNames = {english, action->id};
        m_entries.push_back(std::move(entry));
    }
}

void CommandPalette::gatherRows()
{
    const RowTree& rows = m_session.rows();
    std::vector<QString> paths = rowPaths(rows, QString::fromUtf8(" \u203a ")); // its own label is not enough
    for (std::uint32_t i = 1; i < rows.size(); ++i)
        m_entries.push_back({nullptr, RowId{i}, std::move(paths[i]),
            m_session.rowView().isHidden(RowId{i}) ? tr("Row, hidden") : tr("Row"), {}, true, 0});
}

std::optional<int> CommandPalette::scoreOf(const Entry& entry, const QString& pattern)
{
    std::optional<int> best = fuzzyScore(entry.text, pattern);
    for (const QString& name : entry.otherNames)
        best = std::max(best, fuzzyScore(name, pattern)); // no match is the least
    return best;
}

void CommandPalette::fill()
{
    QString pattern = m_edit->text().trimmed();
    const bool asksForActions = pattern.startsWith('>');
    if (asksForActions)
        pattern.remove(0, 1);
    const bool onlyRows = m_finds == Finds::Rows && !asksForActions;
    std::vector<std::pair<std::tuple<bool, int, int>, const Entry*>> found;
    for (const Entry& entry : m_entries) {
        if (entry.action ? onlyRows : asksForActions)
            continue;
        if (pattern.isEmpty() && !entry.isEnabled)
            continue;
        const auto score = scoreOf(entry, pattern);
        if (score) // disabled actions are listed last, with the reason
            found.push_back({{!entry.isEnabled, pattern.isEmpty() ? 0 : -*score, -entry.recent}, &entry});
    }
    std::ranges::stable_sort(found, {}, &std::pair<std::tuple<bool, int, int>, const Entry*>::first);
    m_list->clear();
    QList<QTreeWidgetItem*> items;
    for (std::size_t i = 0; i < std::min(found.size(), maxShown); ++i) {
        const Entry& entry = *found[i].second;
        auto* const item = new QTreeWidgetItem({entry.text, entry.help, entry.keys});
        item->setData(0, placeRole, static_cast<qulonglong>(&entry - m_entries.data()));
        item->setToolTip(0, plainTip(entry.text));
        item->setToolTip(1, plainTip(entry.help));
        item->setForeground(1, palette().color(QPalette::Disabled, QPalette::Text));
        item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        item->setDisabled(!entry.isEnabled);
        items << item;
    }
    m_list->addTopLevelItems(items);
    m_list->setCurrentItem(m_list->topLevelItem(0));
    m_hint->setText(found.empty()     ? tr("No matches.")
            : found.size() > maxShown ? tr("Showing %1 of %2. Keep typing to narrow the list.")
                                            .arg(numberText(maxShown), numberText(found.size()))
                                      : tr("Enter to run, Esc to close"));
}

void CommandPalette::choose(const QTreeWidgetItem* item)
{
    if (!item || item->isDisabled())
        return;
    const Entry& entry = m_entries[item->data(0, placeRole).toULongLong()];
    if (!entry.action) {
        const RowId row = entry.row;
        close();
        goToRow(row);
        return;
    }
    QStringList used = recent();
    used.removeAll(entry.action->id);
    used.prepend(entry.action->id);
    QSettings().setValue(recentKey, used.mid(0, maxRecent));
    // After this window is closed, because the action may open one, or depend on the focus.
    QTimer::singleShot(0, &m_actions,
        [&actions = m_actions, id = QString(entry.action->id)] { actions.find(id)->trigger(); });
    close();
}

void CommandPalette::goToRow(RowId row)
{
    m_session.rowView().setHidden(row, false);
    for (RowId above = m_session.rows().row(row).parent; above != RowTree::root;
         above = m_session.rows().row(above).parent)
        m_session.rowView().setHidden(above, false);
    m_session.rowView().reveal(row);
    m_session.selection().selectRows({row});
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_edit || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        QApplication::sendEvent(m_list, event);
        return true;
    default:
        return QDialog::eventFilter(watched, event);
    }
}

} // namespace warpline
