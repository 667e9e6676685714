#include "app/search_bar.h"

#include "app/actions/all_actions.h"
#include "app/icons.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"
#include "core/workspace/search_reports.h"
#include "views/actions/action_keys.h"
#include "views/session/filter_edit.h"
#include "views/session/report_scope.h"
#include "views/session/run_pair.h"
#include "views/style/rich_text.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <string_view>

namespace warpline {

namespace {

constexpr int delayMs = 120;

/// Where find() begins in a run; without reports nothing is found.
struct SearchBegin {
    Workspace workspace;
    EventId event;
    Ns time = 0;
    std::shared_ptr<const RowTree> rows; ///< other ones: other reports are shown by now
};

} // namespace

SearchBar::SearchBar(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_kinds(new QToolButton(this)),
      m_edit(new FilterEdit(session, this)),
      m_previous(new QToolButton(this)),
      m_next(new QToolButton(this)),
      m_count(new QLabel(this))
{
    m_edit->setObjectName("search");
    m_edit->setAccessibleName(tr("Find an event by name"));
    m_edit->setClearButtonEnabled(true);
    m_edit->setMinimumWidth(90); // so that the tool bar of a small window holds it
    m_edit->setMaximumWidth(320);
    // The field stays put while the count changes.
    m_count->setMinimumWidth(m_count->fontMetrics().horizontalAdvance("999 of 9,999"));
    m_count->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    showKeys();
    for (QToolButton* const button : {m_kinds, m_previous, m_next})
        button->setAutoRaise(true);
    m_kinds->setToolTip(tr("Event kinds to search"));
    m_kinds->setPopupMode(QToolButton::InstantPopup);
    m_kinds->setMenu(new QMenu(m_kinds));
    connect(m_kinds->menu(), &QMenu::aboutToShow, this, &SearchBar::fillKinds);
    m_kinds->setText(tr("All kinds"));
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 2, 0);
    layout->setSpacing(2);
    layout->addWidget(m_kinds);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_previous);
    layout->addWidget(m_next);
    layout->addWidget(m_count);
    setTheme(theme);
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &SearchBar::countMatches);
    connect(m_edit, &QLineEdit::textChanged, this, &SearchBar::askAnew);
    connect(&m_session, &Session::reportOpened, this, [this] {
        m_search.cancel();
        m_found = {};
        m_edit->clear(); // the text was for the previous report
        chooseKind({});
        m_session.selection().setSearchText({});
    });
    connect(&m_session.selection(), &Selection::searchTextChanged, this, [this] {
        if (m_edit->text() != m_session.selection().searchText())
            m_edit->setText(m_session.selection().searchText()); // of a view that was opened
    });
    connect(&m_session.selection(), &Selection::currentEventChanged, this, &SearchBar::showCount);
    connect(&m_session, &Session::traceChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(&m_session.pair(), &RunPair::changed, this, [this] {
        if (m_session.pair().isOn())
            connect(&m_session.pair().b().selection(), &Selection::currentEventChanged, this,
                &SearchBar::showCount, Qt::UniqueConnection);
        m_delay.start(); // B may be another run, or none
    });
    connect(m_edit, &QLineEdit::returnPressed, this, [this] {
        const auto modifiers = QApplication::keyboardModifiers();
        if (modifiers & Qt::ControlModifier)
            list();
        else
            find(!(modifiers & Qt::ShiftModifier));
    });
    connect(m_previous, &QToolButton::clicked, this, [this] { find(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { find(true); });
}

QSize SearchBar::sizeHint() const
{
    constexpr int fieldWidth = 200;
    return minimumSizeHint() + QSize(fieldWidth - m_edit->minimumWidth(), 0);
}

void SearchBar::setTheme(const Theme& theme)
{
    m_previous->setIcon(themedIcon("previous", theme));
    m_next->setIcon(themedIcon("next", theme));
}

void SearchBar::showKeys()
{
    const QList<QKeySequence> keys = keysOf(*findAction("go.find"));
    m_edit->setPlaceholderText(keys.isEmpty()
            ? tr("Find an event by name")
            : tr("Find an event by name (%1)").arg(keys.front().toString(QKeySequence::NativeText)));
    m_previous->setToolTip(tipOf(*findAction("go.findPrevious")));
    m_next->setToolTip(tipOf(*findAction("go.findNext")));
}

void SearchBar::start()
{
    if (!m_edit->isVisible()) { // in a small window the field is behind a button
        auto* const more = parentWidget()->findChild<QToolButton*>("qt_toolbar_ext_button");
        if (more && more->isVisible() && !more->isChecked())
            more->click();
    }
    m_edit->setFocus();
    m_edit->selectAll();
}

QString SearchBar::asked() const
{
    const QString words = m_edit->text();
    if (!m_kind || words.isEmpty())
        return words;
    const std::string_view key = keyOf(*m_kind);
    return QString("kind=%1 (%2)")
        .arg(QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size())), words);
}

void SearchBar::askAnew()
{
    m_found = {};
    m_matches = m_inB = 0;
    m_counted = false;
    showCount();
    m_delay.start();
}

void SearchBar::fillKinds()
{
    QMenu& menu = *m_kinds->menu();
    menu.clear();
    const auto add = [&](const QString& title, std::optional<EventKind> kind) {
        QAction* const entry = menu.addAction(title, this, [this, kind] { chooseKind(kind); });
        entry->setCheckable(true);
        entry->setChecked(kind == m_kind);
    };
    add(tr("All kinds"), {});
    menu.addSeparator();
    for (const EventKind kind : allEventKinds()) {
        const bool isThere = std::ranges::any_of(m_session.workspace().reports(),
            [&](const OpenReport& report) { return !report.trace->table(kind).empty(); });
        if (isThere && kind != EventKind::CpuCore)
            add(plainTextOf(kindText(kind)), kind);
    }
}

void SearchBar::chooseKind(std::optional<EventKind> kind)
{
    m_kind = kind;
    m_kinds->setText(kind ? plainTextOf(kindText(*kind)) : tr("All kinds"));
    askAnew();
}

void SearchBar::countMatches()
{
    m_counted = false;
    if (m_edit->mistake()) { // incomplete: the previous results stay marked
        m_counting.cancel();
        m_valid = false;
        m_counted = true;
        showCount();
        return;
    }
    const std::string text = asked().toStdString();
    m_session.selection().setSearchText(asked());
    if (text.empty() || m_session.isEmpty()) {
        m_counting.cancel();
        m_count->clear();
        return;
    }
    Session* const other = otherRun();
    m_counting.start(
        [a = m_session.workspace(), b = other ? other->workspace() : Workspace(), text](
            const std::stop_token& stop) {
            return Both<CountedMatches>{
                warpline::countMatches(a, text, stop), warpline::countMatches(b, text, stop)};
        },
        [this](const Both<CountedMatches>& counted) {
            m_matches = counted.a.count;
            m_inB = counted.b.count;
            m_valid = counted.a.isValid;
            m_counted = true;
            showCount();
        });
}

std::uint64_t SearchBar::foundPlace()
{
    const bool isCurrent = m_found.valid() && m_found == m_session.selection().currentEvent();
    return isCurrent && &side() == &m_session ? m_place : 0;
}

void SearchBar::setFound(std::uint64_t place)
{
    m_found = m_session.selection().currentEvent();
    m_place = place;
    showCount();
}

void SearchBar::showCount()
{
    if (!m_counted || m_edit->text().isEmpty())
        m_count->clear();
    else if (!m_valid)
        m_count->setText(tr("Invalid filter"));
    else if (m_found.valid() && m_found == side().selection().currentEvent())
        m_count->setText(
            tr("%1 of %2").arg(numberText(m_place), numberText(m_matches > 0 ? m_matches : m_inB)));
    else if (m_matches == 0)
        m_count->setText(m_inB == 0 ? tr("No match") : tr("No match in A, %1 in B").arg(numberText(m_inB)));
    else
        m_count->setText(m_matches == 1 ? tr("1 match") : tr("%1 matches").arg(numberText(m_matches)));
}

Session* SearchBar::otherRun()
{
    RunPair& pair = m_session.pair();
    return pair.isOn() && !pair.isWithinOne() ? &pair.b() : nullptr;
}

Session& SearchBar::side()
{
    Session* const other = otherRun();
    return other && m_matches == 0 && m_inB > 0 ? *other : m_session;
}

void SearchBar::list()
{
    if (m_edit->text().isEmpty() || m_edit->mistake() || m_session.isEmpty())
        return;
    EventFilter filter;
    filter.text = asked().toStdString();
    m_session.time().selectRange({}); // of all counted matches
    m_session.selection().selectRows({});
    if (m_session.workspace().reports().size() > 1)
        m_session.scope().showAll();
    m_session.selection().setFilter(filter);
    emit m_session.panelRequested("events");
}

void SearchBar::find(bool forward)
{
    const std::string text = asked().toStdString();
    if (text.empty() || m_edit->mistake() || m_session.isEmpty())
        return;
    const auto begin = [](Session& session) {
        return SearchBegin{session.workspace(), session.selection().currentEvent(),
            session.time().shown().start, session.sharedRows()};
    };
    Session* const other = otherRun();
    const Both<SearchBegin> both{begin(m_session), other ? begin(*other) : SearchBegin()};
    m_search.start(
        [both, text, forward](const std::stop_token& stop) {
            const auto search = [&](const SearchBegin& from) {
                return findAround(from.workspace, text, from.event, from.time, forward, stop);
            };
            Both<FoundEvent> found{search(both.a), {}};
            if (!found.a.event.valid())
                found.b = search(both.b);
            return found;
        },
        [this, text, both](const Both<FoundEvent>& found) {
            Session* const now = otherRun();
            if (both.a.rows != m_session.sharedRows() || both.b.rows != (now ? now->sharedRows() : nullptr)
                || text != asked().toStdString())
                return;
            const FoundEvent& first = found.a.event.valid() ? found.a : found.b;
            m_found = first.event;
            m_place = first.place;
            m_matches = found.a.matches;
            if (!found.a.event.valid())
                m_inB = found.b.matches;
            m_counted = true;
            if (first.event.valid())
                side().selection().goToAtScale(first.event);
            showCount();
        });
}

} // namespace warpline
