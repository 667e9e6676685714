#include "views/timeline/row_bar.h"

#include "views/actions/action.h"
#include "views/style/mistaken_field.h"
#include "views/style/rich_text.h"
#include "views/timeline/timeline_actions.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

const QString withoutIndicator = "QToolButton::menu-indicator { image: none; }";
constexpr int barMargin = 4;

} // namespace

RowFilterBox::RowFilterBox(Session& session, RowFilter& filter, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_filter(filter),
      m_text(new QLineEdit(this))
{
    m_text->setObjectName("row-filter");
    m_text->setPlaceholderText(tr("Filter rows"));
    m_text->setToolTip(tr(
        "Show rows by name. \u201ckernels, stream 7\u201d shows rows of either, \u201c-memory\u201d hides rows, /stream (7|13)/ is a regular expression. Ctrl+Enter pins the matches."));
    m_text->setAccessibleName(tr("Filter rows"));
    m_text->setClearButtonEnabled(true);
    m_text->installEventFilter(this);
    auto* const button = new QToolButton(this);
    button->setObjectName("row-sets");
    button->setText(QStringLiteral("\u2630"));
    button->setAutoRaise(true);
    button->setToolTip(tr("Choose which rows are shown"));
    button->setAccessibleName(tr("Choose which rows are shown"));
    button->setPopupMode(QToolButton::InstantPopup);
    auto* const menu = new QMenu(button);
    button->setMenu(menu);
    button->setStyleSheet(withoutIndicator);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        fillMenu(*menu, rowFilterActions(), {m_session, window(), {}, RowTree::root});
    });
    auto* const line = new QHBoxLayout(this);
    line->setContentsMargins(barMargin, 1, barMargin, 1);
    line->setSpacing(2);
    line->addWidget(m_text, 1);
    line->addWidget(button);
    auto* const share = new QLabel(tr("% of view"), this);
    share->setObjectName("share-label");
    share->setToolTip(tr("Busy share of the visible time, for each row"));
    QFont small = share->font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() - 2));
    share->setFont(small);
    line->addWidget(share);
    connect(m_text, &QLineEdit::textChanged, &m_filter, &RowFilter::setText);
    connect(&m_filter, &RowFilter::changed, this, &RowFilterBox::showState);
}

void RowFilterBox::edit()
{
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

bool RowFilterBox::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_text && event->type() == QEvent::PaletteChange) {
        // A button with its own style sheet keeps its initial colours.
        auto* const button = findChild<QToolButton*>("row-sets");
        button->setStyleSheet({});
        button->setStyleSheet(withoutIndicator);
    }
    if (watched != m_text || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto& key = *static_cast<QKeyEvent*>(event);
    const bool isEnter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    if (!isEnter || !(key.modifiers() & Qt::ControlModifier))
        return false;
    m_filter.pinMatching();
    return true;
}

void RowFilterBox::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showMistaken(*m_text, !m_filter.isSound());
    QWidget::changeEvent(event);
}

void RowFilterBox::resizeEvent(QResizeEvent* event)
{
    m_text->setFixedHeight(std::max(16, height() - 2));
    QWidget::resizeEvent(event);
}

void RowFilterBox::showState()
{
    if (m_text->text() != m_filter.text())
        m_text->setText(m_filter.text());
    showMistaken(*m_text, !m_filter.isSound());
}

RowChips::RowChips(Session& session, RowFilter& filter, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_filter(filter),
      m_line(new QHBoxLayout(this))
{
    setObjectName("row-chips");
    m_line->setContentsMargins(barMargin, 1, barMargin, 1);
    m_line->setSpacing(barMargin);
    m_line->addStretch(1);
    connect(&m_filter, &RowFilter::changed, this, &RowChips::fill);
    connect(&m_session.rowView(), &RowView::rowLayoutChanged, this, &RowChips::fill);
    connect(&m_session, &Session::traceChanged, this, &RowChips::fill);
    connect(&m_session.selection(), &Selection::highlightedChanged, this, &RowChips::fill);
    fill();
}

void RowChips::setNote(const QString& text, const QString& tip, std::function<void()> undo)
{
    m_note = {text, tip, std::move(undo)};
    fill();
}

RowChips::Chip RowChips::markedChip() const
{
    std::uint64_t count = 0;
    for (const OpenReport& report : m_session.workspace().reports())
        count += m_session.selection().highlighted(report.id).size();
    const QString events = numberText(count);
    constexpr qsizetype longest = 48;
    const auto& named = m_session.selection().highlightedName();
    const QString name = named ? elidedInMiddle(textOf(named->name), longest) : QString();
    const QString text = !name.isEmpty() ? tr("highlighted: %1 \u00d7 %2").arg(events, name)
        : count == 1                     ? tr("1 event highlighted")
                                         : tr("%1 events highlighted").arg(events);
    const QString tip = name.isEmpty() ? tr("Other events are dimmed. Click to clear.")
                                       : tr("Other events are dimmed. Click or press H to clear.");
    return {text, tip, [&session = m_session] { session.selection().clearHighlights(); }};
}

std::vector<RowChips::Chip> RowChips::chips() const
{
    std::vector<Chip> wanted;
    RowFilter& filter = m_filter;
    Session& session = m_session;
    if (session.isEmpty())
        return wanted;
    if (!m_note.text.isEmpty())
        wanted.push_back(m_note);
    if (m_session.selection().highlightsAny())
        wanted.push_back(markedChip());
    const std::size_t notes = wanted.size();
    if (!filter.text().trimmed().isEmpty())
        wanted.push_back({tr("rows: %1").arg(filter.text().trimmed()), tr("Show all rows"),
            [&filter] { filter.setText({}); }});
    if (filter.set() != RowSet::All)
        wanted.push_back({tr("only %1").arg(titleOf(filter.set()).toLower()), tr("Show all rows"),
            [&filter] { filter.setSet(RowSet::All); }});
    if (filter.onlyInView())
        wanted.push_back({tr("only rows with events in view"), tr("Show rows without events in view, too"),
            [&filter] { filter.setOnlyInView(false); }});
    if (wanted.size() > notes && filter.leftOut() > 0)
        wanted[notes].tip += "\n"
            + (filter.leftOut() == 1 ? tr("1 row filtered out")
                                     : tr("%1 rows filtered out").arg(filter.leftOut()));
    if (const auto hidden = static_cast<int>(session.rowView().hiddenRows()); hidden > 0)
        wanted.push_back({hidden == 1 ? tr("1 row hidden") : tr("%1 rows hidden").arg(hidden),
            tr("Show the rows that you hid"), [&session] { session.rowView().showAllRows(); }});
    if (const int idle = filter.idleGpus(); idle > 0)
        wanted.push_back({idle == 1 ? tr("1 GPU without work") : tr("%1 GPUs without work").arg(idle),
            tr("Show GPUs that a process opened but gave no work"),
            [&filter] { filter.setShowsIdleGpus(true); }});
    return wanted;
}

void RowChips::fill()
{
    const bool before = isNeeded();
    std::vector<Chip> wanted = chips();
    const auto isSame = [](const Chip& a, const Chip& b) { return a.text == b.text && a.tip == b.tip; };
    if (std::ranges::equal(wanted, m_chips, isSame))
        return;
    m_chips = std::move(wanted);
    for (QToolButton* const old : findChildren<QToolButton*>()) {
        old->hide(); // it may be the one that was clicked
        old->deleteLater();
        old->setObjectName({});
    }
    int place = 0;
    for (const Chip& chip : m_chips) {
        auto* const button = new QToolButton(this);
        button->setObjectName("chip");
        button->setText(chip.text + QString::fromUtf8("  \u00d7"));
        button->setToolTip(plainTip(chip.tip));
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QToolButton::clicked, this, chip.undo);
        m_line->insertWidget(place++, button);
        button->show();
    }
    if (before != isNeeded())
        emit neededChanged();
}

QStringList RowChips::texts() const
{
    QStringList texts;
    for (const Chip& chip : m_chips)
        texts << chip.text;
    return texts;
}

} // namespace warpline
