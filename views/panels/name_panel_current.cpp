// How the Name panel follows the current event: its name, and the event's place among those of its name.

#include "core/store/trace.h"
#include "views/panels/name_lines.h"
#include "views/panels/name_panel.h"
#include "views/style/rich_text.h"

#include <QComboBox>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace warpline {

namespace {

constexpr std::size_t highlightsLookedAt = 2000;

} // namespace

void NamePanel::followCurrent()
{
    const EventRef event = m_session.selection().ownCurrentEvent();
    if (m_keep->isChecked() || !event.valid() || event.kind == EventKind::CpuCore) {
        markCurrent();
        return;
    }
    const auto form = static_cast<NameForm>(m_form->currentData().toInt());
    if (m_query && *m_query == namedAs(m_session.trace(), event, form))
        markCurrent();
    else
        ask(event);
}

void NamePanel::followHighlights()
{
    const std::vector<EventRef>& marked = m_session.selection().highlighted(m_session.report().id);
    if (marked.empty() && m_histogram->brushed() && !m_brushing) {
        endBrush(); // Esc, or the close button of the marks
        return;
    }
    // Of a filter's events only an empty panel shows the name, as after the command line that it has.
    const bool isFiltered = m_session.selection().filter() != EventFilter();
    if (m_keep->isChecked() || marked.size() < (isFiltered ? 1U : 2U) || (isFiltered && m_query))
        return;
    const Trace& trace = m_session.trace();
    const std::size_t step = std::max<std::size_t>(1, marked.size() / highlightsLookedAt);
    const auto form = isFiltered ? static_cast<NameForm>(m_form->currentData().toInt()) : NameForm::Full;
    const auto nameIn = [&](EventRef event) {
        NamedQuery named = namedAs(trace, event, form);
        named.recordedOnGpu = false; // copies of ranges on the GPU have the same name
        return named;
    };
    const NamedQuery first = nameIn(marked.front());
    for (std::size_t i = 0; i < marked.size(); i += step) {
        if (nameIn(marked[i]) != first)
            return;
    }
    ask(marked.front()); // the line of a table of names was chosen
}

bool NamePanel::holdsCurrent() const
{
    const EventRef event = m_session.selection().ownCurrentEvent();
    if (!m_answer || !event.valid() || event.kind != m_answer->query.kind)
        return false;
    return std::ranges::binary_search(m_answer->events, event.index);
}

void NamePanel::markCurrent()
{
    m_rankKnown = false;
    if (!m_answer)
        return;
    if (!holdsCurrent()) {
        m_histogram->setMarked({});
        m_pace->setMarked({});
        showFigures();
        return;
    }
    const EventTable& table = m_session.trace().table(m_answer->query.kind);
    const EventIndex event = m_session.selection().ownCurrentEvent().index;
    const Ns duration = table.duration[event];
    m_histogram->setMarked(duration);
    const Pace& pace = m_answer->pace;
    const double columns = static_cast<double>(pace.columns.size());
    const double at = pace.byInstance
        ? static_cast<double>(instanceOf(table, m_answer->events, event))
            / static_cast<double>(m_answer->events.size())
        : (static_cast<double>(table.start[event]) - static_cast<double>(pace.window.start))
            / static_cast<double>(std::max<Ns>(1, pace.window.duration()));
    m_pace->setMarked(
        std::pair(static_cast<std::size_t>(std::clamp(at * columns, 0.0, columns - 1)), duration));
    showFigures();
    m_rankJob.start(
        [trace = m_session.sharedTrace(), answer = m_answer, kind = m_answer->query.kind, duration](
            const std::stop_token& stop) {
            return shorterThan(trace->table(kind), answer->events, duration, stop);
        },
        [this](std::uint64_t shorter) {
            m_rankKnown = true;
            m_shorter = shorter;
            showFigures();
            emit updated();
        });
}

void NamePanel::showFigures()
{
    const DurationFigures& figures = m_answer->figures;
    if (figures.count == 0) {
        m_figures->setText(tr("No events of this name match the filter."));
        return;
    }
    FiguresNote note;
    note.outliers = m_answer->pace.outliers;
    note.isOfRange = !m_answer->query.window.empty();
    note.shareOfKind = m_answer->totalOfKind > 0
        ? static_cast<double>(figures.total) / static_cast<double>(m_answer->totalOfKind)
        : 0;
    if (holdsCurrent()) {
        const EventTable& table = m_session.trace().table(m_answer->query.kind);
        const QString duration = roundedText(table.duration[m_session.selection().ownCurrentEvent().index]);
        note.current = m_rankKnown
            ? tr("Selected: %1, longer than %2 of them (%3 are shorter)")
                  .arg("<b>" + duration + "</b>",
                      shareText(static_cast<double>(m_shorter) / static_cast<double>(figures.count))
                          .toHtmlEscaped(),
                      numberText(m_shorter))
            : tr("Selected: %1").arg("<b>" + duration + "</b>");
    }
    m_figures->setText(figuresText(figures, note));
}

} // namespace warpline
