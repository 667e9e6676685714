#include "app/view_command.h"

#include "app/main_window.h"
#include "app/panel_docks.h"
#include "core/base/shell_words.h"
#include "core/filter/event_predicate.h"
#include "core/filter/filter_values.h"
#include "core/query/find_names.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"
#include "views/panels/name_panel.h"
#include "views/panels/panel.h"
#include "views/session/report_scope.h"
#include "views/session/row_scope.h"
#include "views/session/run_pair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <QDockWidget>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace warpline {

namespace {

QString quoted(const QString& word)
{
    return QString::fromStdString(shellQuoted(word.toStdString()));
}

QString quoted(const QStringList& words)
{
    QStringList all;
    for (const QString& word : words)
        all << quoted(word);
    return all.join(' ');
}

/// " --name value", or nothing.
QString option(const char* name, const QString& value)
{
    return value.isEmpty() ? QString() : QString(" --%1 %2").arg(name, quoted(value));
}

/// " a b", or nothing.
QString wordsText(const QStringList& words)
{
    return words.isEmpty() ? QString() : ' ' + quoted(words);
}

/// The compared ranges and the files.
QString comparedText(const ViewAsked& asked, const QStringList& sides)
{
    return wordsText(sides) + ' ' + quoted(asked.compared)
        + (asked.other.isEmpty() ? QString() : ' ' + quoted(asked.other));
}

QString terminalLine(const ViewAsked& asked)
{
    const QString range = option("range", asked.asked);
    const QString file = ' ' + quoted(asked.file);
    const QString words = wordsText(asked.words);
    const QString& panel = asked.panel;
    if ((panel == "compare" || panel == "verdict") && !asked.compared.isEmpty())
        return "warpline-cli compare" + option("nvtx", asked.steps) + comparedText(asked, asked.askedSides);
    if (panel == "ranks" || panel == "rankmap")
        return "warpline-cli ranks " + quoted(asked.files);
    if ((panel == "name" || panel == "sql") && words.isEmpty())
        return {};
    if (panel == "events")
        return "warpline-cli events" + option("where", asked.filter) + range + file;
    if (panel == "name")
        return "warpline-cli name" + range + file + words;
    if (panel == "statistics")
        return "warpline-cli range" + range + file;
    if (panel == "tables")
        return "warpline-cli stats" + words + range + file;
    if (panel == "steps")
        return "warpline-cli steps" + option("nvtx", asked.steps) + file;
    if (panel == "stacks")
        return "warpline-cli samples" + words + range + file;
    if (panel == "sql")
        return "warpline-cli sql" + file + words;
    if (panel == "roofline")
        return "warpline-cli operators" + range + file;
    if (panel == "whatif")
        return "warpline-cli whatif" + words + option("nvtx", asked.steps) + file;
    if (panel == "marks")
        return "warpline-cli report" + range + file;
    if (panel == "report")
        return "warpline-cli info" + file;
    return "warpline-cli analyze" + option("steps", asked.steps) + range + file;
}

QString rangeText(TimeRange range)
{
    return QString("%1:%2").arg(range.start).arg(range.end);
}

/// The reports that `list` shows, as a side of a comparison.
QString sideOf(const ReportList& list)
{
    QStringList paths;
    for (const ListedReport& each : list.reports()) {
        if (each.isShown())
            paths << each.path;
    }
    return paths.join(',');
}

/// Options for the ranges that the sides of `pair` are narrowed to. `own`: on the clocks of the files.
QStringList sideWords(RunPair& pair, bool own)
{
    QStringList words;
    for (const auto& [side, name] : {std::pair(Side::A, "--a-range"), {Side::B, "--b-range"}}) {
        const TimeRange range = pair.narrowed(side);
        if (!range.empty())
            words << name << rangeText(own ? pair.session(side).ownTime(range) : range);
    }
    return words;
}

/// Whether `terms` select all events on `tracks`, sorted, and no others. Terms are tested on the first event
/// of a track: they must be about tracks.
bool isOfTracks(const Trace& trace, const std::string& terms, const std::vector<TrackRef>& tracks)
{
    const EventPredicate passes(trace, FilterExpression(terms));
    for (const EventKind kind : allEventKinds()) {
        const std::vector<Track>& all = trace.table(kind).tracks;
        for (std::uint32_t i = 0; i < all.size() && !isDerived(kind); ++i) {
            if (all[i].eventCount > 0
                && passes({kind, all[i].firstEvent}) != std::ranges::binary_search(tracks, TrackRef{kind, i}))
                return false;
        }
    }
    return true;
}

/// Values of the fields that can describe tracks: of all, of those on GPUs, of the others.
std::map<std::string, std::set<std::string>> trackValues(
    const Trace& trace, const std::vector<TrackRef>& tracks)
{
    std::map<std::string, std::set<std::string>> values;
    for (const TrackRef& ref : tracks) {
        const Track& track = trace.table(ref.kind).tracks[ref.track];
        const bool isOnGpu = isRecordedOnGpu(ref.kind, track);
        values["kind"].emplace(kindKeyOf(ref.kind, isOnGpu));
        values["process"].insert(std::to_string(pidOf(track.owner)));
        if (runsOnDevice(ref.kind) || isOnGpu) {
            values["device"].insert(std::to_string(gpuNumber(trace, track.owner, track.device)));
            values["stream"].insert(std::to_string(track.stream));
        } else {
            values["thread"].insert(std::to_string(tidOf(track.owner)));
        }
    }
    return values;
}

/// The fewest terms that select the events on `tracks`; empty: no terms do.
std::string termsOf(const Trace& trace, std::vector<TrackRef> tracks)
{
    std::ranges::sort(tracks);
    if (std::ranges::any_of(tracks, [](const TrackRef& ref) { return isDerived(ref.kind); }))
        return {}; // lists without tracks leave these out
    const auto values = trackValues(trace, tracks);
    std::vector<const char*> fields{"kind", "process"};
    if (!values.contains("thread"))
        fields.insert(fields.end(), {"device", "stream"});
    else if (!values.contains("device")) // GPU work has the threads of its calls
        fields.push_back("thread");
    std::string terms;
    for (const char* const field : fields) {
        terms += fmt::format("{}{}={}", terms.empty() ? "" : " ", field, fmt::join(values.at(field), ","));
        if (isOfTracks(trace, terms, tracks))
            return terms;
    }
    return {};
}

/// `filter` in the filter language, with `tracks` for its tracks.
QString filterText(const EventFilter& filter, const std::string& tracks)
{
    QStringList terms;
    EventFilter onlyText;
    onlyText.text = filter.text;
    const FilterExpression typed(filter.text);
    if (filter == onlyText)
        terms << QString::fromStdString(filter.text);
    else if (const auto plain = typed.plainText())
        terms << "name~" + QString::fromStdString(quotedValue(*plain));
    else if (!typed.passesAll())
        terms << '(' + QString::fromStdString(filter.text) + ')';
    if (filter.name)
        terms << "name=" + QString::fromStdString(quotedValue(*filter.name));
    if (filter.kind) {
        const std::string_view key = keyOf(*filter.kind);
        terms << "kind=" + QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size()));
    }
    if (filter.minDuration > 0)
        terms << QString("dur>=%1ns").arg(filter.minDuration);
    if (filter.maxDuration != std::numeric_limits<Ns>::max())
        terms << QString("dur<=%1ns").arg(filter.maxDuration);
    if (filter.process != 0)
        terms << QString("process=%1").arg(pidOf(filter.process));
    terms << QString::fromStdString(tracks);
    terms.removeAll(QString());
    return terms.join(' ');
}

/// The one around `at`, else the one in the drawer or in the inspector.
QString panelAt(const MainWindow& window, const QWidget* at)
{
    for (; at; at = at->parentWidget()) {
        if (qobject_cast<const QDockWidget*>(at) && findPanel(at->objectName()))
            return at->objectName();
    }
    for (const PanelPlace place : {PanelPlace::Below, PanelPlace::Beside}) {
        for (const PanelKind* const kind : allPanels()) {
            if (kind->place == place && window.docks().isPanelInFront(kind->id))
                return kind->id;
        }
    }
    return {};
}

const Panel* findPanelOf(const MainWindow& window, const QString& id)
{
    const auto place = std::ranges::find(allPanels(), id, &PanelKind::id);
    return place == allPanels().end() ? nullptr : window.docks().panels()[place - allPanels().begin()];
}

/// Whether `panel`, which lists several reports, has nothing of `report`.
bool hasNothingOf(const OpenReport& report, const Session& session, const QString& panel)
{
    const EventFilter& filter = session.selection().filter(); // its tracks are of the session's report
    const bool isOfOther = panel == "events" && (!filter.tracks.empty() || filter.process != 0)
        && report.id != session.report().id;
    return isOfOther || leavesOut(session, report)
        || session.ownTime(session.time().judged(), report).empty();
}

/// The reports of which `panel` lists something, where it lists several; empty: it is about one.
std::vector<const OpenReport*> listedReports(Session& session, const QString& panel)
{
    const PanelKind* const kind = findPanel(panel);
    std::vector<const OpenReport*> reports;
    if (kind && kind->about == PanelReports::Several && session.scope().isSeveral()) {
        for (const ReportId id : session.scope().reports())
            reports.push_back(&session.workspace().report(id));
        std::erase_if(
            reports, [&](const OpenReport* report) { return hasNothingOf(*report, session, panel); });
    }
    return reports;
}

/// Fills in what depends on the report: its file, times on its clock, and its rows.
void askAbout(const OpenReport& report, MainWindow& window, ViewAsked& asked)
{
    Session& session = window.session();
    asked.file = QString::fromStdString(report.trace->info.path);
    // Without a selected range most panels are about the whole report, these about the visible range.
    const bool isOfVisible = QStringList{"statistics", "marks"}.contains(asked.panel);
    const TimeRange about = isOfVisible ? session.time().window() : session.time().judged();
    if (about != session.session() || asked.panel == "statistics")
        asked.asked = rangeText(session.ownTime(about, report));
    EventFilter filter = session.selection().filter();
    if (asked.panel == "name" && filter == EventFilter())
        filter = window.panel<NamePanel>().shownFilter();
    const std::vector<TrackRef> selected
        = report.rows->tracksBelow(session.selection().ownSelectedRows(report.id));
    if (report.id != session.report().id)
        filter.tracks.clear(); // they are of that one
    const std::vector<TrackRef>& tracks
        = filter.tracks.empty() && asked.panel == "events" ? selected : filter.tracks;
    const std::string terms = tracks.empty() ? std::string() : termsOf(*report.trace, tracks);
    asked.filter = filterText(filter, terms);
    asked.leavesOutRows = (terms.empty() && !tracks.empty()) || (asked.leftOut.rows && !selected.empty());
}

/// A comment of the shell: the command leaves out which rows are chosen.
QString noteOnRows(const ViewAsked& asked)
{
    return "# "
        + (asked.leftOut.rows ? QObject::tr("Of all rows: this command does not choose rows.")
                              : QObject::tr("Events of all rows: no filter describes the chosen rows."));
}

/// Comments of a shell on what the commands leave out.
QString noteOf(const ViewAsked& asked)
{
    QStringList notes;
    if (asked.leftOut.range)
        notes << QObject::tr("Of the whole report: this command does not choose a range.");
    if (asked.leavesOutSelection)
        notes << QObject::tr("The command of the window does not have the selected range.");
    if (asked.leftOut.gpu)
        notes << QObject::tr("Of all GPUs: this command does not choose one.");
    if (asked.leftOut.finding)
        notes << QObject::tr("Without the change of the finding: no option describes it.");
    for (QString& note : notes)
        note.prepend("# ");
    if (asked.leavesOutRows)
        notes.prepend(noteOnRows(asked));
    return notes.join('\n');
}

} // namespace

ViewCommands commandsOf(const ViewAsked& asked)
{
    ViewCommands commands;
    commands.window = "warpline" + option("panel", asked.panel) + option("range", asked.shown)
        + option("filter", asked.filter) + option("steps", asked.steps);
    commands.window += asked.compared.isEmpty() ? ' ' + quoted(asked.files)
                                                : " --compare" + comparedText(asked, asked.shownSides);
    commands.terminal = terminalLine(asked);
    commands.note = noteOf(asked);
    return commands;
}

EventFilter filterOfCommand(const std::string& text, const Trace& trace)
{
    EventFilter asText;
    asText.text = text;
    EventFilter filter;
    FilterValue name;
    const FilterExpression expression(text);
    for (const FilterNode& node : expression.nodes()) {
        const FilterTerm& term = node.term;
        if (node.type == FilterNode::Type::All)
            continue;
        if (node.type != FilterNode::Type::Term || term.values.size() != 1 || term.values[0].isExpression)
            return asText;
        const FilterValue& value = term.values[0];
        const long double time = std::min(value.low, 1e18L); // what is longer is no number of nanoseconds
        const auto kinds = allEventKinds();
        const auto kind = std::ranges::find(
            kinds, std::string_view(value.text), [](EventKind each) { return keyOf(each); });
        if (term.field == FilterField::Name && term.compared == FilterOperator::Equal && name.text.empty())
            name = value;
        else if (term.field == FilterField::Kind && term.compared == FilterOperator::Equal && !filter.kind
            && kind != kinds.end())
            filter.kind = *kind;
        else if (term.field == FilterField::Duration && term.compared == FilterOperator::GreaterEqual)
            filter.minDuration = std::max(filter.minDuration, static_cast<Ns>(std::ceil(time)));
        else if (term.field == FilterField::Duration && term.compared == FilterOperator::LessEqual)
            filter.maxDuration = std::min(filter.maxDuration, static_cast<Ns>(std::floor(time)));
        else
            return asText;
    }
    if (name.text.empty() || !filter.kind)
        return asText;
    StringId id{};
    if (trace.pool->find(name.text, id)
        && std::ranges::find(trace.table(*filter.kind).name, id) != trace.table(*filter.kind).name.end())
        filter.name = name.text;
    else
        filter.text = withName({}, quotedGlob(name.glob)); // with * and ?, or the short name of kernels
    return filter;
}

ViewCommands commandsOf(MainWindow& window, const QWidget* at)
{
    Session& session = window.session();
    ViewAsked asked;
    asked.panel = panelAt(window, at);
    asked.files = window.reports().names();
    if (session.pair().isOn()) {
        asked.compared = sideOf(window.reports());
        asked.other = sideOf(window.otherReports()); // none of two ranges
    }
    asked.shownSides = sideWords(session.pair(), false);
    asked.askedSides = sideWords(session.pair(), true);
    if (session.time().shown() != session.session())
        asked.shown = rangeText(session.time().shown());
    asked.leavesOutSelection = !session.time().selectedRange().empty(); // --range of the window only shows
    if (const Panel* const panel = findPanelOf(window, asked.panel)) {
        asked.words = panel->commandWords();
        asked.leftOut = panel->leftOut();
    }
    asked.steps = QString::fromStdString(session.judgement().stepGlob());
    askAbout(session.report(), window, asked);
    ViewCommands commands = commandsOf(asked);
    QStringList lines;
    for (const OpenReport* const report : listedReports(session, asked.panel)) {
        askAbout(*report, window, asked);
        lines << terminalLine(asked);
        if (std::exchange(asked.leavesOutRows, false)) // what else is left out is so of all
            lines << noteOnRows(asked);
    }
    if (!lines.isEmpty()) {
        commands.terminal = lines.join('\n');
        commands.note = noteOf(asked);
    }
    return commands;
}

} // namespace warpline
