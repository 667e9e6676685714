#include "views/session/saved_view.h"

#include "core/store/trace.h"
#include "views/session/marks.h"
#include "views/session/result_rows.h"
#include "views/session/session.h"

#include <algorithm>
#include <unordered_map>

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

std::vector<std::string> toFile(const RowKeys& keys, const QStringList& list)
{
    std::vector<std::string> texts;
    for (const QString& key : list)
        texts.push_back(keys.toFile(key.toStdString()));
    return texts;
}

QStringList fromFile(const RowKeys& keys, const std::vector<std::string>& list)
{
    QStringList texts;
    for (const std::string& key : list)
        texts << QString::fromStdString(keys.fromFile(key));
    return texts;
}

RowsOfView rowsOf(const Session& session, const RowKeys& keys)
{
    const RowStates::ByKey states = session.rowView().rowStates();
    RowsOfView rows;
    rows.open = toFile(keys, states.open);
    rows.closed = toFile(keys, states.closed);
    rows.hidden = toFile(keys, states.hidden);
    rows.pinned = toFile(keys, states.pinned);
    for (auto it = states.scale.begin(); it != states.scale.end(); ++it)
        rows.scale[keys.toFile(it.key().toStdString())] = it.value();
    for (const RowId row : session.rows().subtree(RowTree::root)) {
        const Row& of = session.rows().row(row);
        if (const int depth = session.rowView().depth(row); depth != RowView::usualDepth(of))
            rows.depths[keys.toFile(of.key)] = depth;
    }
    for (auto it = states.order.begin(); it != states.order.end(); ++it)
        rows.order[keys.toFile(it.key().toStdString())] = toFile(keys, it.value());
    return rows;
}

RowStates::ByKey statesOf(const RowsOfView& rows, const RowKeys& keys)
{
    RowStates::ByKey states;
    states.open = fromFile(keys, rows.open);
    states.closed = fromFile(keys, rows.closed);
    states.hidden = fromFile(keys, rows.hidden);
    states.pinned = fromFile(keys, rows.pinned);
    for (const auto& [key, scale] : rows.scale)
        states.scale.insert(QString::fromStdString(keys.fromFile(key)),
            std::clamp(scale, RowView::minScale, RowView::maxScale));
    for (const auto& [key, order] : rows.order)
        states.order.insert(QString::fromStdString(keys.fromFile(key)), fromFile(keys, order));
    return states;
}

void applyDepths(Session& session, const RowsOfView& rows, const RowKeys& keys)
{
    std::unordered_map<std::string, int> depths;
    for (const auto& [key, depth] : rows.depths) {
        const RowId row = session.rows().find(keys.fromFile(key));
        if (row != RowTree::root && depth != RowView::usualDepth(session.rows().row(row)))
            depths[session.rows().row(row).key] = std::max(1, depth);
    }
    session.rowView().setDepths(std::move(depths));
}

FilterOfView filterOf(const EventFilter& filter)
{
    FilterOfView kept;
    kept.text = filter.text.toStdString();
    kept.minDuration = filter.minDuration;
    kept.maxDuration = filter.maxDuration;
    kept.name = filter.name;
    kept.kind = filter.kind;
    kept.tracks = filter.tracks;
    kept.process = filter.process;
    return kept;
}

EventFilter filterOf(const FilterOfView& kept, const Trace& trace)
{
    EventFilter filter;
    filter.text = QString::fromStdString(kept.text);
    filter.minDuration = kept.minDuration;
    filter.maxDuration = kept.maxDuration;
    filter.name = kept.name;
    filter.kind = kept.kind;
    filter.process = kept.process;
    for (const TrackRef& track : kept.tracks) {
        if (track.track < trace.table(track.kind).tracks.size())
            filter.tracks.push_back(track);
    }
    return filter;
}

std::vector<AnswerOfView> answersOf(const Session& session)
{
    std::vector<AnswerOfView> answers;
    const auto& reports = session.workspace().reports();
    for (const ResultRow& row : session.results().all()) {
        const auto report = std::ranges::find(reports, row.report, &OpenReport::id);
        if (report != reports.end() && !row.sql.isEmpty())
            answers.push_back({row.title.toStdString(), row.sql.toStdString(), row.search.toStdString(),
                static_cast<std::size_t>(report - reports.begin()), row.scale});
    }
    return answers;
}

void restoreAnswers(Session& session, const std::vector<AnswerOfView>& answers)
{
    std::vector<AskedRow> rows;
    for (const AnswerOfView& each : answers) {
        if (each.report < session.workspace().reports().size())
            rows.push_back({QString::fromStdString(each.title), QString::fromStdString(each.sql),
                QString::fromStdString(each.search), session.workspace().reports()[each.report].id,
                std::clamp(each.scale, 1.0, RowView::maxScale)});
    }
    session.results().restore(std::move(rows));
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
    view.rows = rowsOf(session, keys);
    view.answers = answersOf(session);
    view.filter = filterOf(session.selection().filter());
    view.search = session.selection().searchText().toStdString();
    view.steps = session.judgement().stepGlob();
    view.marks = session.marks().all();
    view.notes = session.marks().notes().toStdString();
    return view;
}

void applyView(Session& session, const SavedView& view)
{
    const RowKeys keys(session.workspace());
    session.rowView().setRowStates(statesOf(view.rows, keys));
    applyDepths(session, view.rows, keys);
    restoreAnswers(session, view.answers);
    session.marks().setAll(view.marks, QString::fromStdString(view.notes));
    session.selection().setFilter(filterOf(view.filter, session.trace()));
    session.selection().setSearchText(QString::fromStdString(view.search));
    session.judgement().setStepGlob(view.steps);
    session.time().selectRange(view.selected);
    std::vector<RowId> rows;
    for (const std::string& key : view.selectedRows) {
        if (const RowId row = session.rows().find(keys.fromFile(key)); row != RowTree::root)
            rows.push_back(row);
    }
    session.selection().selectRows(std::move(rows));
    if (!view.shown.empty())
        session.time().show(view.shown);
}

void renameRows(SavedView& view, const std::map<std::string, std::string>& names)
{
    const auto named = [&names](const std::string& key) {
        const auto found = names.find(key);
        return found == names.end() ? key : found->second;
    };
    RowsOfView& rows = view.rows;
    for (auto* const keys : {&rows.open, &rows.closed, &rows.hidden, &rows.pinned, &view.selectedRows})
        std::ranges::transform(*keys, keys->begin(), named);
    RowsOfView renamed;
    for (const auto& [key, scale] : rows.scale)
        renamed.scale[named(key)] = scale;
    for (const auto& [key, depth] : rows.depths)
        renamed.depths[named(key)] = depth;
    for (auto& [key, order] : rows.order) {
        std::ranges::transform(order, order.begin(), named);
        renamed.order[named(key)] = order;
    }
    rows.scale.swap(renamed.scale);
    rows.depths.swap(renamed.depths);
    rows.order.swap(renamed.order);
}

} // namespace warpline
