#include "views/panels/events_filter_bar.h"

#include "core/base/duration_text.h"
#include "core/filter/filter_values.h"
#include "core/store/place_names.h"
#include "core/store/range_words.h"
#include "views/panels/layouts.h"
#include "views/session/filter_edit.h"
#include "views/style/mistaken_field.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <limits>

namespace warpline {

namespace {

constexpr int durationWidth = 210; ///< of the field of durations; more where its text needs it
constexpr int frameAndCross = 44; ///< around its text

bool parseDuration(const QString& text, Ns& duration)
{
    const auto time = parseTime(text.toStdString());
    if (time.ok())
        duration = time.value();
    return time.ok() && duration >= 0;
}

bool parseDurations(const QString& from, const QString& to, Ns& least, Ns& most)
{
    return parseDuration(from, least) && parseDuration(to, most) && least <= most;
}

} // namespace

bool parseDurationFilter(const QString& text, Ns& least, Ns& most)
{
    least = 0;
    most = std::numeric_limits<Ns>::max();
    const QString plain = text.trimmed();
    if (plain.isEmpty())
        return true;
    if (plain.startsWith('>'))
        return parseDuration(plain.mid(plain.startsWith(">=") ? 2 : 1), least);
    if (plain.startsWith('<'))
        return parseDuration(plain.mid(plain.startsWith("<=") ? 2 : 1), most);
    if (const auto dots = plain.indexOf(".."); dots > 0) // as in filters
        return parseDurations(plain.left(dots), plain.mid(dots + 2), least, most);
    if (const auto dash = plain.indexOf('-'); dash > 0)
        return parseDurations(plain.left(dash), plain.mid(dash + 1), least, most);
    return parseDuration(plain, least);
}

QString durationFilterText(Ns least, Ns most)
{
    if (most == std::numeric_limits<Ns>::max())
        return QString(">= %1ns").arg(least);
    return least <= 0 ? QString("<= %1ns").arg(most) : QString("%1ns..%2ns").arg(least).arg(most);
}

EventsFilterBar::EventsFilterBar(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_text(new FilterEdit(session, this)),
      m_duration(new QLineEdit(this)),
      m_clear(new QToolButton(this)),
      m_note(new FilterNote(*m_text, this))
{
    m_text->setObjectName("events-filter");
    m_text->setPlaceholderText(tr("Filter: a part of a name, dur>50us, stream=7 \u2026"));
    m_text->setClearButtonEnabled(true);
    m_duration->setPlaceholderText(tr("Duration: > 10us"));
    m_duration->setToolTip(tr("> 10us, < 5ms, or 1ms..5ms"));
    m_duration->setClearButtonEnabled(true);
    m_duration->setMaximumWidth(durationWidth);
    m_duration->setMinimumWidth(m_duration->fontMetrics().horizontalAdvance("1ms..5ms") + frameAndCross);
    m_clear->setToolTip(tr("Clear the filter"));
    m_clear->hide();
    // Both are readable in a narrow window.
    fillColumn(this, 0, {barLayout({{m_text, 2}, {m_duration, 1}, m_clear}, {}), m_note});
    connect(m_text, &FilterEdit::filterTyped, this, &EventsFilterBar::applyFilter);
    connect(m_duration, &QLineEdit::textChanged, this, &EventsFilterBar::applyFilter);
    connect(m_duration, &QLineEdit::returnPressed, this, &EventsFilterBar::tellDuration);
    m_pause.setSingleShot(true);
    m_pause.setInterval(FilterEdit::pauseMs);
    connect(&m_pause, &QTimer::timeout, this, &EventsFilterBar::tellDuration);
    connect(m_clear, &QToolButton::clicked, this, [this] { m_session.selection().setFilter({}); });
    connect(&m_session.selection(), &Selection::filterChanged, this, &EventsFilterBar::showFilter);
}

void EventsFilterBar::applyFilter()
{
    EventFilter filter = m_session.selection().filter();
    filter.text = m_text->text().toStdString();
    const bool valid = parseDurationFilter(m_duration->text(), filter.minDuration, filter.maxDuration);
    markDuration(valid);
    if (valid && !m_text->mistake()) { // an incomplete filter does not empty the list
        m_appliedDuration = m_duration->text().trimmed();
        m_session.selection().setFilter(filter);
    }
}

/// A mistake is marked at once, and told after a pause in typing.
void EventsFilterBar::markDuration(bool isValid)
{
    showMistaken(*m_duration, !isValid);
    if (!isValid)
        m_pause.start();
    else
        m_pause.stop();
    if (isValid)
        m_note->tellOther({});
}

void EventsFilterBar::changeEvent(QEvent* event)
{
    Ns least = 0;
    Ns most = 0;
    if (event->type() == QEvent::PaletteChange)
        showMistaken(*m_duration, !parseDurationFilter(m_duration->text(), least, most));
    QWidget::changeEvent(event);
}

void EventsFilterBar::tellDuration()
{
    Ns least = 0;
    Ns most = 0;
    if (parseDurationFilter(m_duration->text(), least, most))
        return;
    QStringList applied{QString::fromStdString(m_session.selection().filter().text), m_appliedDuration};
    applied.removeAll(QString());
    m_note->tellOther(mistakeText(least > most ? shorterTimeFirst() : timeExpected(),
        applied.join(QCoreApplication::translate("Lists", ", "))));
}

QString EventsFilterBar::filterWords() const
{
    const EventFilter& filter = m_session.selection().filter();
    const Trace& trace = m_session.trace();
    QStringList words;
    if (filter.name)
        words << textOf(*filter.name);
    else if (filter.kind)
        words << plainTextOf(kindText(*filter.kind));
    for (const TrackRef& track : filter.tracks)
        words << plainTextOf(placeOf(trace, track));
    if (filter.process != 0)
        words << plainTextOf(processLabel(trace, filter.process));
    words.removeDuplicates(); // a stream has a track for each kind of event
    return words.join(QCoreApplication::translate("Lists", ", "));
}

void EventsFilterBar::showFilter()
{
    const EventFilter& filter = m_session.selection().filter();
    if (m_text->text().toStdString() != filter.text) {
        const QSignalBlocker quiet(m_text);
        m_text->setText(QString::fromStdString(filter.text));
    }
    // The field keeps the user's text; only another filter replaces it.
    Ns least = 0;
    Ns most = 0;
    if (!parseDurationFilter(m_duration->text(), least, most) || least != filter.minDuration
        || most != filter.maxDuration) {
        if (filter.minDuration == 0 && filter.maxDuration == std::numeric_limits<Ns>::max()) {
            const QSignalBlocker quiet(m_duration);
            m_duration->clear();
        } else {
            const QSignalBlocker quiet(m_duration);
            m_duration->setText(durationFilterText(filter.minDuration, filter.maxDuration));
            m_duration->setFixedWidth(
                std::clamp(m_duration->fontMetrics().horizontalAdvance(m_duration->text()) + frameAndCross,
                    durationWidth, 2 * durationWidth));
            m_duration->setCursorPosition(0);
        }
        m_appliedDuration = m_duration->text();
        markDuration(true);
    }
    const QString words = filterWords();
    m_clear->setVisible(!words.isEmpty());
    constexpr int widest = 240;
    m_clear->setToolTip(plainTip(tr("Only events of: %1. Click to list all.").arg(words)));
    m_clear->setText(m_clear->fontMetrics().elidedText(words, Qt::ElideMiddle, widest) + " \u2715");
}

} // namespace warpline
