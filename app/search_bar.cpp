#include "app/search_bar.h"

#include "app/icons.h"
#include "core/base/format.h"
#include "core/query/search.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace warpline {

namespace {

constexpr int delayMs = 120;

EventRef findAround(const Trace& trace, const std::string& text, EventRef from, Ns time, bool forward,
    const std::stop_token& stop)
{
    const NameMatch match(trace, text);
    const EventRef found = findNext(trace, match, from, time, forward, stop);
    if (found.valid())
        return found;
    const Ns edge = forward ? trace.session.start : trace.session.end; // once around
    return findNext(trace, match, {}, edge, forward, stop);
}

} // namespace

SearchBar::SearchBar(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_edit(new QLineEdit(this)),
      m_previous(new QToolButton(this)),
      m_next(new QToolButton(this)),
      m_count(new QLabel(this))
{
    m_edit->setPlaceholderText(tr("Find an event by name (Ctrl+F)"));
    m_edit->setClearButtonEnabled(true);
    m_edit->setMinimumWidth(200);
    m_edit->setMaximumWidth(320);
    m_previous->setToolTip(tr("Previous (Shift+F3)"));
    m_next->setToolTip(tr("Next (F3)"));
    for (QToolButton* const button : {m_previous, m_next})
        button->setAutoRaise(true);
    auto* const layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 2, 0);
    layout->setSpacing(2);
    layout->addWidget(m_count);
    layout->addSpacing(4);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_previous);
    layout->addWidget(m_next);
    setTheme(theme);
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &SearchBar::countMatches);
    connect(m_edit, &QLineEdit::textChanged, &m_delay, qOverload<>(&QTimer::start));
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

void SearchBar::start()
{
    m_edit->setFocus();
    m_edit->selectAll();
}

void SearchBar::countMatches()
{
    const std::string text = m_edit->text().toStdString();
    if (text.empty() || m_session.isEmpty()) {
        m_counting.cancel();
        m_count->clear();
        return;
    }
    m_counting.start(
        [trace = m_session.sharedTrace(), text](const std::stop_token& stop) {
            return warpline::countMatches(*trace, NameMatch(*trace, text), stop);
        },
        [this](std::uint64_t count) {
            m_count->setText(count == 0 ? tr("no event")
                    : count == 1        ? tr("1 event")
                                        : tr("%1 events").arg(QString::fromStdString(formatCount(count))));
        });
}

void SearchBar::find(bool forward)
{
    const std::string text = m_edit->text().toStdString();
    if (text.empty() || m_session.isEmpty())
        return;
    m_search.start(
        [trace = m_session.sharedTrace(), text, from = m_session.currentEvent(),
            time = m_session.shown().start, forward](
            const std::stop_token& stop) { return findAround(*trace, text, from, time, forward, stop); },
        [this, trace = m_session.sharedTrace()](EventRef found) {
            if (found.valid() && trace == m_session.sharedTrace())
                m_session.goTo(found);
        });
}

} // namespace warpline
