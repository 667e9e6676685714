#include "app/view_command.h"

#include "app/main_window.h"
#include "app/panel_docks.h"
#include "core/base/shell_words.h"
#include "core/store/trace.h"
#include "views/models/stats_model.h"
#include "views/panels/panel.h"
#include "views/panels/sql_editor.h"
#include "views/panels/sql_panel.h"
#include "views/panels/tables_panel.h"

#include <QListWidget>

#include <limits>

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

QString terminalLine(const ViewAsked& asked)
{
    const QString range = option("range", asked.asked);
    const QString file = ' ' + quoted(asked.file);
    const QString& panel = asked.panel;
    if (panel == "compare" && !asked.other.isEmpty())
        return "warpline-cli compare" + option("nvtx", asked.steps) + file + ' ' + quoted(asked.other);
    if (panel == "ranks")
        return "warpline-cli ranks " + quoted(asked.files);
    if (panel == "events" || panel == "name")
        return "warpline-cli events" + option("where", asked.filter) + range + file;
    if (panel == "stats")
        return "warpline-cli range --from " + asked.asked.section(':', 0, 0) + " --to "
            + asked.asked.section(':', 1, 1) + file;
    if (panel == "tables")
        return "warpline-cli stats" + option("report", asked.table) + range + file;
    if (panel == "steps" || panel == "budget")
        return "warpline-cli steps" + option("nvtx", asked.steps) + file;
    if (panel == "stacks")
        return "warpline-cli samples" + range + file;
    if (panel == "sql")
        return "warpline-cli sql" + file + (asked.sql.isEmpty() ? " --tables" : ' ' + quoted(asked.sql));
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

/// The filter of the events panel in the filter language, which cannot express tracks.
QString filterText(const EventFilter& filter)
{
    QStringList terms;
    if (!filter.text.empty())
        terms << QString::fromStdString(filter.text);
    if (filter.name)
        terms << QString("name=\"%1\"").arg(QString::fromStdString(*filter.name));
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
    return terms.join(' ');
}

QString panelInFront(const MainWindow& window)
{
    for (const PanelPlace place : {PanelPlace::Below, PanelPlace::Beside}) {
        for (const PanelKind* const kind : allPanels()) {
            if (kind->place == place && window.docks().isPanelInFront(kind->id))
                return kind->id;
        }
    }
    return {};
}

} // namespace

ViewCommands commandsOf(const ViewAsked& asked)
{
    ViewCommands commands;
    commands.window = "warpline" + option("panel", asked.panel) + option("range", asked.shown)
        + option("filter", asked.filter) + option("steps", asked.steps);
    commands.window += asked.other.isEmpty() ? ' ' + quoted(asked.files)
                                             : " --compare " + quoted(asked.file) + ' ' + quoted(asked.other);
    commands.terminal = terminalLine(asked);
    return commands;
}

ViewCommands commandsOf(MainWindow& window)
{
    Session& session = window.session();
    ViewAsked asked;
    asked.panel = panelInFront(window);
    asked.files = window.reports().names();
    asked.file = QString::fromStdString(session.trace().info.path);
    if (!window.otherReports().isEmpty())
        asked.other = window.otherReports().reports().front().path;
    if (session.time().shown() != session.session())
        asked.shown = rangeText(session.time().shown());
    // Analyzing panels use the selected range when that is chosen; others use the visible range.
    const bool judges = QStringList{"overview", "findings", "checklist", "tables"}.contains(asked.panel);
    const TimeRange about = judges ? session.time().judged() : session.time().window();
    if (about != session.session() || asked.panel == "stats")
        asked.asked = rangeText(session.ownTime(about));
    asked.filter = filterText(session.selection().filter());
    asked.steps = QString::fromStdString(session.judgement().stepGlob());
    asked.table = window.panel<TablesPanel>().shownTable();
    asked.sql = window.panel<SqlPanel>().editor().toPlainText().trimmed();
    return commandsOf(asked);
}

} // namespace warpline
