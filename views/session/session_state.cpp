// The part of the user's arrangement that survives a restart.

#include "core/handover/view_file.h"
#include "core/store/trace.h"
#include "views/session/marks.h"
#include "views/session/run_pair.h"
#include "views/session/session.h"

#include <QCryptographicHash>
#include <QSettings>

#include <optional>
#include <utility>

namespace warpline {

namespace {

/// Reports are recognized by their content's measure, not by their path: copies keep the user's layout.
QString settingsGroup(const Workspace& workspace)
{
    QStringList measures;
    for (const OpenReport& report : workspace.reports())
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

/// Marks and notes in the form that view files have. Nothing: there are none that can be read.
std::optional<Marks::Kept> storedMarks(const QSettings& settings)
{
    const QByteArray json = settings.value("marks").toByteArray();
    auto view = parseView({json.data(), static_cast<std::size_t>(json.size())}, {});
    if (json.isEmpty() || !view.ok())
        return std::nullopt;
    return Marks::Kept{std::move(view.value().marks), QString::fromStdString(view.value().notes),
        settings.value("marksFile").toByteArray(), settings.value("marksChanged").toBool()};
}

void saveMarks(QSettings& settings, Marks& marks)
{
    const auto stored = storedMarks(settings);
    const Marks::Kept kept = stored ? marks.mergedWith(*stored, settings.group()) : marks.kept();
    const bool isEmpty = kept.marks.empty() && kept.notes.isEmpty() && kept.file.isEmpty();
    if (isEmpty && !stored)
        return; // else it is stored: another window sees that all was removed
    SavedView view;
    view.marks = kept.marks;
    view.notes = kept.notes.toStdString();
    constexpr std::size_t most = std::size_t{1} << 20U; // settings are read and written as a whole
    std::string json = viewJson(view);
    const bool isLeftOut = json.size() > most && !kept.isChanged; // a stranger's view, which has them
    if (isLeftOut)
        json = viewJson({});
    if (!parseView(json, {}).ok())
        return; // too much of two windows: what is stored stays
    marks.noteStored(isLeftOut ? Marks::Kept() : marks.kept(), settings.group());
    settings.setValue("marks", QByteArray::fromStdString(json));
    settings.setValue("marksFile", kept.file);
    settings.setValue("marksChanged", kept.isChanged && !isEmpty);
}

void restoreMarks(const QSettings& settings, Marks& marks)
{
    const auto stored = storedMarks(settings);
    if (!stored)
        return;
    marks.restore(marks.mergedWith(*stored, settings.group())); // with what came while these were loading
    marks.noteStored(*stored, settings.group());
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
    if (!m_workspace->isComplete() || isEmpty())
        return;
    QSettings settings;
    settings.beginGroup(settingsGroup(*m_workspace));
    if (!isSideB) { // the rows and steps of B follow A's
        m_rowView.save(settings);
        settings.setValue("steps", QString::fromStdString(m_judgement.stepGlob()));
    }
    if (ownsMarks())
        saveMarks(settings, *m_marks);
}

void Session::restoreState()
{
    QSettings settings;
    settings.beginGroup(settingsGroup(*m_workspace));
    if (!m_workspace->isPart() && std::exchange(m_restored, settings.group()) != settings.group()) {
        if (ownsMarks())
            restoreMarks(settings, *m_marks);
        if (m_judgement.stepGlob().empty()) // else it was chosen while the report was loading
            m_judgement.m_stepGlob = settings.value("steps").toString().toStdString();
    }
    m_rowView.restore(settings);
}

} // namespace warpline
