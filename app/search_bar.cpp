#include "app/search_bar.h"

#include "app/actions/all_actions.h"
#include "app/icons.h"
#include "core/base/format.h"
#include "core/workspace/search_reports.h"
#include "views/actions/action_keys.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace warpline {

namespace {

constexpr int delayMs = 120;

} // namespace

SearchBar::SearchBar(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_edit(new QLineEdit(this)),
      m_previous(new QToolButton(this)),
      m_next(new QToolButton(this)),
      m_count(new QLabel(this))
{
    m_edit->setObjectName("search");
    m_edit->setToolTip(tr("A part of the name, or a regular expression between slashes: /gemm.*_tn/"));
    m_edit->setClearButtonEnabled(true);
    m_edit->setMinimumWidth(200);
    m_edit->setMaximumWidth(320);
    // The field stays put while the count changes.
    m_count->setMinimumWidth(m_count->fontMetrics().horizontalAdvance("999 of 9,999"));
    m_count->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    showKeys();
    for (QToolButton* const button : {m_previous, m_next})
        button->setAutoRaise(true);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 2, 0);
    layout->setSpacing(2);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_previous);
    layout->addWidget(m_next);
    layout->addWidget(m_count);
    setTheme(theme);
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &SearchBar::countMatches);
    connect(m_edit, &QLineEdit::textChanged, this, [this] {
        m_found = {};
        m_counted = false;
        showCount();
        m_delay.start();
    });
    connect(&m_session, &Session::reportOpened, this, [this] {
        m_search.cancel();
        m_found = {};
        m_edit->clear(); // words for the report before
        m_session.setSearchText({});
    });
    connect(&m_session, &Session::searchTextChanged, this, [this] {
        if (m_edit->text() != m_session.searchText())
            m_edit->setText(m_session.searchText()); // of a view that was opened
    });
    connect(&m_session, &Session::currentEventChanged, this, &SearchBar::showCount);
    connect(&m_session, &Session::traceChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(m_edit, &QLineEdit::returnPressed, this,
        [this] { find(!(QApplication::keyboardModifiers() & Qt::ShiftModifier)); });
    connect(m_previous, &QToolButton::clicked, this, [this] { find(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { find(true); });
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
    m_edit->setFocus();
    m_edit->selectAll();
}

void SearchBar::countMatches()
{
    m_counted = false;
    const std::string text = m_edit->text().toStdString();
    m_session.setSearchText(m_edit->text());
    if (text.empty() || m_session.isEmpty()) {
        m_counting.cancel();
        m_count->clear();
        return;
    }
    m_counting.start(
        [workspace = m_session.workspace(), text](
            const std::stop_token& stop) { return warpline::countMatches(workspace, text, stop); },
        [this](const CountedMatches& counted) {
            m_matches = counted.count;
            m_valid = counted.isValid;
            m_counted = true;
            showCount();
        });
}

void SearchBar::showCount()
{
    const auto number = [](std::uint64_t count) { return QString::fromStdString(formatCount(count)); };
    if (!m_counted || m_edit->text().isEmpty())
        m_count->clear();
    else if (!m_valid)
        m_count->setText(tr("No valid /\u2026/"));
    else if (m_matches == 0)
        m_count->setText(tr("No match"));
    else if (m_found.valid() && m_found == m_session.currentEvent())
        m_count->setText(tr("%1 of %2").arg(number(m_place), number(m_matches)));
    else
        m_count->setText(m_matches == 1 ? tr("1 match") : tr("%1 matches").arg(number(m_matches)));
}

void SearchBar::find(bool forward)
{
    const std::string text = m_edit->text().toStdString();
    if (text.empty() || m_session.isEmpty())
        return;
    m_search.start(
        [workspace = m_session.workspace(), text, from = m_session.currentEvent(),
            time = m_session.shown().start, forward](
            const std::stop_token& stop) { return findAround(workspace, text, from, time, forward, stop); },
        [this, text, of = m_session.sharedRows()](const FoundEvent& found) {
            if (of != m_session.sharedRows() || text != m_edit->text().toStdString())
                return;
            m_found = found.event;
            m_place = found.place;
            m_matches = found.matches;
            m_counted = true;
            if (found.event.valid())
                m_session.goToAtScale(found.event);
            showCount();
        });
}

} // namespace warpline
