// Actions on lines of a statistics table: marking their events, copying and writing.

#include "core/store/trace.h"
#include "views/panels/tables_panel.h"

#include "core/base/format.h"
#include "core/base/stop.h"
#include "views/models/table_text.h"
#include "views/panels/duration_chart.h"

#include <QTableView>

#include <algorithm>

namespace warpline {

namespace {

/// The events with durations from `least` to `most` (inclusive), in the order of highlighted events.
std::vector<EventRef> eventsOfDuration(
    const Trace& trace, std::vector<EventRef> events, Ns least, Ns most, const std::stop_token& stop)
{
    std::vector<EventRef> chosen;
    for (const EventRef& event : stoppableItems(events, stop)) {
        const Ns duration = trace.range(event).duration();
        if (duration >= least && duration <= most)
            chosen.push_back(event);
    }
    std::ranges::sort(chosen);
    return chosen;
}

} // namespace

void TablesPanel::showEventsOf(int line)
{
    // Millions of events stand behind some lines.
    struct EventsFound {
        std::vector<EventRef> events;
        DurationBins bins;
    };
    m_bins.start(
        [source = sourceOf(line)](const std::stop_token& stop) {
            EventsFound answer{source.cells->events(source.row), {}};
            std::vector<Ns> durations;
            durations.reserve(answer.events.size());
            for (const EventRef& event : stoppableItems(answer.events, stop))
                durations.push_back(source.part.trace->range(event).duration());
            answer.bins = binDurations(durations);
            std::ranges::sort(answer.events);
            return answer;
        },
        [this, part = sourceOf(line).part](EventsFound answer) {
            if (!isOpen(part))
                return;
            m_histogram->setVisible(!answer.events.empty());
            m_histogram->showBins(std::move(answer.bins));
            emit messages(tr("%1 events highlighted; double-click to step through them")
                              .arg(QString::fromStdString(formatCount(answer.events.size()))));
            m_session.selection().setHighlighted(part.report, std::move(answer.events));
        });
}

void TablesPanel::markEventsOfDuration(Ns least, Ns most)
{
    const QModelIndex line = m_table->currentIndex();
    if (!line.isValid())
        return;
    m_marking.start(
        [source = sourceOf(line.row()), least, most](const std::stop_token& stop) {
            return eventsOfDuration(*source.part.trace, source.cells->events(source.row), least, most, stop);
        },
        [this, part = sourceOf(line.row()).part](std::vector<EventRef> marked) {
            if (!isOpen(part))
                return;
            emit messages(marked.size() == 1 ? tr("1 event of this duration highlighted")
                                             : tr("%1 events of this duration highlighted")
                                                   .arg(QString::fromStdString(formatCount(marked.size()))));
            m_session.selection().setHighlighted(part.report, std::move(marked));
        });
}

QString TablesPanel::textAs(const QString& format) const
{
    return tableText(*m_model->cells(), m_model->order(), format);
}

} // namespace warpline
