// The part of the user's arrangement that survives a restart.

#include "core/handover/view_file.h"
#include "core/store/trace.h"
#include "views/session/marks.h"
#include "views/session/run_pair.h"
#include "views/session/session.h"

#include <QCryptographicHash>
#include <QSettings>

#include <optional>
#include <span>
#include <utility>

namespace warpline {

namespace {

/// Reports are recognized by their content's measure, not by their path: copies keep the user's layout.
QString settingsGroup(std::span<const OpenReport> reports)
{
    QStringList measures;
    for (const OpenReport& report : reports)
        measures << QStringLiteral("%1-%2-%3")
                        .arg(report.trace->info.fileBytes)
                        .arg(report.trace->session.start)
                        .arg(report.trace->session.end);
    constexpr qsizetype mostSpelled = 8; // of a folder of reports the key would be long, and is written often
    const QString all = measures.join('+');
    return "reports/"
        + (measures.size() <= mostSpelled
                ? all
                : QString(QCryptographicHash::hash(all.toUtf8(), QCryptographicHash::Sha256).toHex()));
}

/// Until a report is there, only its path is known.
QString groupWhileLoading(const Trace& trace)
{
    const QByteArray path(trace.info.path.data(), static_cast<qsizetype>(trace.info.path.size()));
    return "reports/" + QCryptographicHash::hash(path, QCryptographicHash::Sha256).toHex();
}

/// The first report's, alone or with others: they are on its clock.
QString groupOfMarks(const Workspace& workspace)
{
    const auto first = std::span(workspace.reports()).first(1);
    return first.front().trace->complete ? settingsGroup(first) : groupWhileLoading(*first.front().trace);
}

/// Marks and notes in the form that view files have.
std::string jsonOf(const std::vector<Mark>& marks, const QString& notes)
{
    SavedView view;
    view.marks = marks;
    view.notes = notes.toStdString();
    return viewJson(view);
}

/// Nothing: there are none that can be read.
std::optional<Marks::Kept> storedMarks(const QSettings& settings)
{
    const auto read = [&settings](const char* key) {
        const QByteArray json = settings.value(key).toByteArray();
        return parseView({json.data(), static_cast<std::size_t>(json.size())}, {});
    };
    const auto view = read("marks");
    if (!view.ok())
        return std::nullopt;
    const auto file = settings.value("marksChanged").toBool() ? read("marksOfFile") : view;
    const SavedView ofFile = file.ok() ? file.value() : SavedView();
    return Marks::Kept{view.value().marks, QString::fromStdString(view.value().notes), ofFile.marks,
        QString::fromStdString(ofFile.notes), settings.value("marksFilePath").toString()};
}

/// Whether they are stored now, or a file has them.
bool saveMarks(QSettings& settings, Marks& marks)
{
    if (marks.stored() == marks.kept() && settings.contains("marks"))
        return true; // whatever another window has made of it
    const auto stored = storedMarks(settings);
    const Marks::Kept before = marks.stored().value_or(Marks::Kept());
    const Marks::Kept kept = stored ? merged(before, marks.kept(), *stored) : marks.kept();
    if (const QString why = Marks::refusal(kept.marks.size(), kept.notes); !why.isEmpty()) {
        emit marks.refused(why);
        return false; // this window still has its own, and what another one stored stays
    }
    if (kept == Marks::Kept() && !stored)
        return true; // else it is stored: another window sees that all was removed
    const std::string json = jsonOf(kept.marks, kept.notes);
    const bool isChanged = kept.isChanged();
    constexpr std::size_t most = std::size_t{1} << 20U; // settings are read and written as a whole
    if (json.size() > most && !isChanged) { // a stranger's view, which has them
        settings.remove("marks");
        marks.noteStored({});
        return true;
    }
    marks.noteStored(marks.kept());
    settings.setValue("marks", QByteArray::fromStdString(json));
    settings.setValue("marksChanged", isChanged);
    settings.setValue("marksFilePath", kept.filePath);
    settings.setValue("marksOfFile",
        QByteArray::fromStdString(isChanged ? jsonOf(kept.fileMarks, kept.fileNotes) : std::string()));
    return true;
}

} // namespace

bool Session::ownsMarks() const
{
    return !m_asOther || !m_asOther->isWithinOne();
}

void Session::saveState()
{
    const bool isSideB = m_asOther != nullptr;
    if (!isSideB && m_pair->isOn())
        m_pair->b().saveState();
    if (!hasReport())
        return;
    QSettings settings;
    if (ownsMarks()) {
        settings.beginGroup(groupOfMarks(*m_workspace));
        saveMarks(settings, *m_marks);
        settings.endGroup();
    }
    if (isSideB || !m_workspace->isComplete() || m_workspace->isPart())
        return; // rows and steps of B follow A's, and those of a part are not all
    settings.beginGroup(settingsGroup(m_workspace->reports()));
    m_rowView.save(settings);
    settings.setValue("steps", QString::fromStdString(m_judgement.stepGlob()));
}

void Session::restoreMarks()
{
    if (!ownsMarks() || !hasReport())
        return;
    QSettings settings;
    const Trace& first = *m_workspace->reports().front().trace;
    settings.beginGroup(groupWhileLoading(first));
    const auto typed = storedMarks(settings);
    if (typed)
        m_marks->restore(merged(m_marks->stored().value_or(Marks::Kept()), m_marks->kept(), *typed));
    m_marks->noteStored(typed);
    if (!first.complete)
        return;
    settings.endGroup();
    settings.beginGroup(groupOfMarks(*m_workspace));
    m_marks->restoreStored(storedMarks(settings));
    const bool isMoved = typed && saveMarks(settings, *m_marks);
    settings.endGroup();
    if (isMoved)
        settings.remove(groupWhileLoading(first));
}

void Session::restoreState()
{
    QSettings settings;
    settings.beginGroup(settingsGroup(m_workspace->reports()));
    if (!m_workspace->isPart() && std::exchange(m_restored, settings.group()) != settings.group()
        && m_judgement.stepGlob().empty()) // else it was chosen while the report was loading
        m_judgement.m_stepGlob = settings.value("steps").toString().toStdString();
    m_rowView.restore(settings);
}

} // namespace warpline
