// Selecting a line in the compare panel: its events are marked and shown in both timelines, and their
// durations compared.

#include "core/store/trace.h"
#include "views/compare/compare_rows_model.h"
#include "views/panels/compare_panel.h"

#include <utility>

namespace warpline {

/// The events of a selected line, in the sessions' terms.
struct ComparePanel::Chosen {
    Both<Selection::Highlights> events;
    Both<EventId> slowest; ///< not valid(): the side does not have it
    TwoHistograms histograms;
    QString title;
};

void ComparePanel::choose(const QModelIndex& index)
{
    const bool isOfBefore = m_number != m_session.pair().number(); // of a comparison that was replaced
    if (!index.isValid() || !m_model || !m_comparison || isOfBefore)
        return;
    const auto place = static_cast<std::size_t>(m_model->line(index.row()).id);
    if (m_model->content() == CompareRowsModel::Content::Rows)
        chooseRow(place);
    else if (m_model->content() == CompareRowsModel::Content::Findings)
        chooseFinding(m_comparison->findings[place]);
}

/// A step's event is its range on the host, whose length is not the row's value: no histogram.
void ComparePanel::chooseRow(std::size_t place)
{
    RunPair& pair = m_session.pair();
    const CompareTable& table = m_model->table();
    const CompareRow& row = table.rows[place];
    m_choosing.start(
        // The model's comparison holds the row: m_comparison is a copy once there are findings.
        [comparison = m_model->comparison(), &row, hasHistogram = table.id != "steps",
            name = compareName(row), a = pair.a().workspace(),
            b = pair.b().workspace()](const std::stop_token&) {
            Chosen chosen;
            chosen.title = name;
            Both<std::vector<Ns>> durations;
            for (const Side side : {Side::A, Side::B}) {
                const Workspace& workspace = side == Side::A ? a : b;
                Ns longest = -1;
                for (const SideEvent& each : row[side].events) {
                    const EventId id{ReportId{static_cast<std::uint16_t>(each.report)}, each.event};
                    const Ns duration = workspace.range(id).duration();
                    chosen.events[side][id.report].push_back(each.event);
                    durations[side].push_back(duration);
                    if (duration > longest) {
                        longest = duration;
                        chosen.slowest[side] = id;
                    }
                }
            }
            if (hasHistogram)
                chosen.histograms = histogramsOf(std::move(durations.a), std::move(durations.b));
            return chosen;
        },
        [this, number = pair.number()](Chosen chosen) {
            if (number == m_session.pair().number()) // else of a comparison that was replaced
                showChosen(std::move(chosen));
            emit updated();
        });
}

void ComparePanel::showChosen(Chosen chosen)
{
    RunPair& pair = m_session.pair();
    for (const Side side : {Side::A, Side::B})
        pair.session(side).selection().setHighlights(std::move(chosen.events[side]));
    m_histogram->show(chosen.title, std::move(chosen.histograms)); // hidden where there is nothing to show
    pair.goTo(chosen.slowest);
}

void ComparePanel::chooseFinding(const FindingChange& finding)
{
    RunPair& pair = m_session.pair();
    Both<EventId> events;
    for (const Side side : {Side::A, Side::B}) {
        Session& session = pair.session(side);
        session.selection().clearHighlights();
        const SideEvent& proof = finding.event[side];
        if (proof.event.valid())
            events[side] = {ReportId{static_cast<std::uint16_t>(proof.report)}, proof.event};
        const OpenReport& report
            = session.workspace().report(ReportId{static_cast<std::uint16_t>(proof.report)});
        // Nearly the whole run is not a place to go to.
        const TimeRange where = finding.where[side];
        const bool isPlace = !where.empty() && where.duration() < report.trace->session.duration() / 2;
        session.selection().markRange(isPlace ? report.clock.toWorkspace(where) : TimeRange{});
    }
    pair.goTo(events);
}

} // namespace warpline
