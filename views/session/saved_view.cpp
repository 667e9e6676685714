#include "views/session/saved_view.h"

#include "core/store/trace.h"
#include "views/session/marks.h"
#include "views/session/result_rows.h"
#include "views/session/session.h"

#include <algorithm>
#include <functional>

namespace warpline {

namespace {

/// The keys of rows as files have them: without the labels of reports, which are names of files.
class RowKeys {
public:
    explicit RowKeys(const Workspace& workspace)
    {
        if (workspace.reports().size() < 2)
            return;
        for (const OpenReport& report : workspace.reports())
            m_headings.push_back(workspace.rows().row(workspace.rowOf(report.id, RowTree::root)).key);
    }

    std::string toFile(const std::string& key) const
    {
        for (std::size_t i = 0; i < m_headings.size(); ++i) {
            if (isBelow(key, m_headings[i]))
                return "#" + std::to_string(i) + key.substr(m_headings[i].size());
        }
        return key;
    }

    std::string fromFile(const std::string& key) const
    {
        for (std::size_t i = 0; i < m_headings.size(); ++i) {
            const std::string number = "#" + std::to_string(i);
            if (isBelow(key, number))
                return m_headings[i] + key.substr(number.size());
        }
        return key;
    }

private:
    static bool isBelow(const std::string& key, const std::string& heading)
    {
        return key.starts_with(heading) && (key.size() == heading.size() || key[heading.size()] == '/');
    }

    std::vector<std::string> m_headings; ///< of the reports, in their order; empty: a single one
};

/// `rows` with each key as `named` has it.
RowsOfView renamed(const RowsOfView& rows, const std::function<std::string(const std::string&)>& named)
{
    const auto listOf = [&](const std::vector<std::string>& keys) {
        std::vector<std::string> list(keys.size());
        std::ranges::transform(keys, list.begin(), named);
        return list;
    };
    RowsOfView all{
        listOf(rows.open), listOf(rows.closed), listOf(rows.hidden), listOf(rows.pinned), {}, {}, {}};
    for (const auto& [key, scale] : rows.scale)
        all.scale[named(key)] = scale;
    for (const auto& [key, depth] : rows.depths)
        all.depths[named(key)] = depth;
    for (const auto& [key, order] : rows.order)
        all.order[named(key)] = listOf(order);
    return all;
}

std::vector<AnswerOfView> answersOf(const Session& session)
{
    std::vector<AnswerOfView> answers;
    const auto& reports = session.workspace().reports();
    for (const AskedRow& row : session.results().asked()) {
        const auto report = std::ranges::find(reports, row.report, &OpenReport::id);
        if (report != reports.end() && !row.sql.isEmpty())
            answers.push_back({row.title.toStdString(), row.sql.toStdString(), row.search.toStdString(),
                static_cast<std::size_t>(report - reports.begin()), row.scale});
    }
    return answers;
}

} // namespace

SavedView viewOf(const Session& session)
{
    const RowKeys keys(session.workspace());
    SavedView view;
    for (const OpenReport& report : session.workspace().reports()) {
        ReportMeasure measure{report.trace->info.fileBytes, report.trace->session, {}};
        if (report.clock.method == ClockMethod::Manual)
            measure.offset = report.clock.offset;
        view.reports.push_back(measure);
    }
    view.shown = session.time().shown();
    view.selected = session.time().selectedRange();
    for (const RowId row : session.selection().selectedRows())
        view.selectedRows.push_back(keys.toFile(session.rows().row(row).key));
    view.rows
        = renamed(session.rowView().rowStates(), [&](const std::string& key) { return keys.toFile(key); });
    view.answers = answersOf(session);
    view.filter = session.selection().filter();
    const std::vector<RowId>& rows = session.selection().selectedRows();
    if (session.report().id != (rows.empty() ? ReportId{} : session.rows().row(rows.front()).report))
        dropPlaces(view.filter); // panels will be about the report of the rows
    view.search = session.selection().searchText().toStdString();
    view.steps = session.judgement().stepGlob();
    view.marks = session.marks().all();
    view.notes = session.marks().notes().toStdString();
    return view;
}

void applyView(Session& session, const SavedView& view)
{
    restoreAnswers(session, view.answers);
    session.selection().setSearchText(QString::fromStdString(view.search));
    session.judgement().setStepGlob(view.steps);
    showAsIn(session, view);
}

void showAsIn(Session& session, const SavedView& view)
{
    const RowKeys keys(session.workspace());
    session.rowView().setRowStates(
        renamed(view.rows, [&](const std::string& key) { return keys.fromFile(key); }));
    selectAsIn(session, view); // panels are about the report of the rows
    applyFilter(session, view.filter);
    if (!view.shown.empty())
        session.time().show(view.shown);
}

void dropPlaces(FilterOfView& filter)
{
    filter.tracks.clear();
    filter.process = 0;
}

void applyFilter(Session& session, FilterOfView filter)
{
    std::erase_if(filter.tracks, [&](const TrackRef& track) {
        return track.track >= session.trace().table(track.kind).tracks.size();
    });
    session.selection().setFilter(std::move(filter));
}

void selectAsIn(Session& session, const SavedView& view)
{
    const RowKeys keys(session.workspace());
    session.time().selectRange(view.selected);
    std::vector<RowId> rows;
    for (const std::string& key : view.selectedRows) {
        if (const RowId row = session.rows().find(keys.fromFile(key)); row != RowTree::root)
            rows.push_back(row);
    }
    session.selection().selectRows(std::move(rows));
}

void restoreAnswers(Session& session, const std::vector<AnswerOfView>& answers)
{
    std::vector<AskedRow> rows;
    for (const AnswerOfView& each : answers) {
        if (each.report < session.workspace().reports().size())
            rows.push_back({QString::fromStdString(each.title), QString::fromStdString(each.sql),
                QString::fromStdString(each.search), session.workspace().reports()[each.report].id,
                std::clamp(each.scale, 1.0, RowState::maxScale)});
    }
    session.results().restore(rows);
}

void renameRows(SavedView& view, const std::map<std::string, std::string>& names)
{
    const auto named = [&names](const std::string& key) {
        const auto found = names.find(key);
        return found == names.end() ? key : found->second;
    };
    std::ranges::transform(view.selectedRows, view.selectedRows.begin(), named);
    view.rows = renamed(view.rows, named);
}

} // namespace warpline
