#include "app/part_export.h"

#include "core/base/pending_file.h"
#include "core/cache/report_key.h"
#include "core/export/cut_choice.h"
#include "core/export/event_export.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"
#include "views/session/session.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QProgressDialog>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace warpline {

namespace fs = std::filesystem;

namespace {

constexpr int lookMs = 100;

/// The events that the events view lists for `query`.
std::shared_ptr<const std::vector<EventRef>> passing(
    const std::shared_ptr<const Trace>& trace, const EventQuery& query, const std::stop_token& stop)
{
    const EventList list(trace, query, stop);
    auto events = std::make_shared<std::vector<EventRef>>(list.events().begin(), list.events().end());
    std::ranges::sort(*events);
    return events;
}

Result<void> writeChromeFile(
    const Trace& trace, const EventExport& asked, const QString& path, const std::stop_token& stop)
{
    return saveText(path, stop, [&](const TextSink& sink) { return writeChromeTrace(trace, asked, sink); });
}

/// The file at `path` is replaced when the new one is whole.
Result<void> writeCutFile(
    const std::string& report, const CutOptions& cut, const std::string& path, const std::stop_token& stop)
{
    PendingFile file(path);
    if (const auto done = cutReport(report, file.part(), cut, stop); !done.ok())
        return file.named(done.error());
    return stop.stop_requested() ? Result<void>(Error{"cli.export_cancelled",
               "{path} was not written: the export was cancelled.", {{"path", Name{path}}}})
                                 : file.keep();
}

} // namespace

PartExport::PartExport(Session& session, QWidget* window)
    : QObject(window),
      m_session(session),
      m_window(window)
{
    m_look.setInterval(lookMs);
    connect(&m_look, &QTimer::timeout, this, &PartExport::showProgress);
    connect(&m_writer, &FileWriter::messages, this, &PartExport::messages);
    connect(&m_writer, &FileWriter::finished, this, &PartExport::finish);
}

bool PartExport::canCut(const Session& session)
{
    return recorderOf(session.trace().info) == Recorder::NsightSystems;
}

void PartExport::askForTrace()
{
    const auto trace = m_session.sharedTrace();
    PartDialog dialog(m_session, PartDialog::Kind::Trace, m_window);
    if (dialog.exec() != QDialog::Accepted || !m_writer.isStill(trace))
        return;
    const QString path = m_writer.ask(tr("Export a Chrome trace"), "trace.json", tr("Chrome trace (*.json)"));
    if (!path.isEmpty())
        writeTrace(dialog.choice(), path);
}

void PartExport::askForCut()
{
    const auto trace = m_session.sharedTrace();
    PartDialog dialog(m_session, PartDialog::Kind::Cut, m_window);
    if (dialog.exec() != QDialog::Accepted || !m_writer.isStill(trace))
        return;
    const QString path
        = m_writer.ask(tr("Export a part of the report"), "part.sqlite", tr("Exports (*.sqlite)"));
    if (!path.isEmpty())
        writeCut(dialog.choice(), path);
}

bool PartExport::isFree()
{
    if (isBusy())
        tellFailure(tr("Another export is running. Wait for it, or cancel it."), m_window);
    return !isBusy();
}

void PartExport::writeTrace(const PartChoice& choice, const QString& path)
{
    if (!isFree())
        return;
    start(path,
        [trace = m_session.sharedTrace(), choice, path,
            query = queryOf(m_session.selection().filter(), m_session.trace())](
            const Progress& progress, const std::stop_token& stop) {
            EventExport asked{.window = choice.window, .kinds = {}};
            if (choice.onlyFiltered)
                asked.only = passing(trace, query, stop);
            asked.lookedAt = progress.done;
            progress.all->store(eventsToLookAt(*trace, asked));
            return writeChromeFile(*trace, asked, path, stop);
        });
}

void PartExport::writeCut(const PartChoice& choice, const QString& path)
{
    if (!isFree())
        return;
    start(path,
        [trace = m_session.sharedTrace(), choice, path](
            const Progress& progress, const std::stop_token& stop) {
            if (auto same = unchangedOnDisk(trace->info); !same.ok())
                return same;
            CutOptions cut = cutOf(*trace, choice.window, choice.redact);
            cut.progress = [&](std::size_t done, std::size_t all) {
                progress.done->store(done);
                progress.all->store(all);
            };
            return writeCutFile(trace->info.path, cut, path.toStdString(), stop);
        });
}

void PartExport::askForPartOf(const QString& report, TimeRange window)
{
    const QFileInfo file(report);
    const QString path = QFileDialog::getSaveFileName(m_window, tr("Save the part to open"),
        file.path() + '/' + file.completeBaseName() + " part.sqlite", tr("Exports (*.sqlite)"));
    if (path.isEmpty() || !isFree())
        return;
    start(path,
        [from = report.toStdString(), window, path](const Progress& progress, const std::stop_token& stop) {
            const CutOptions cut{.window = window, .progress = [&](std::size_t done, std::size_t all) {
                                     progress.done->store(done);
                                     progress.all->store(all);
                                 }};
            return writeCutFile(from, cut, path.toStdString(), stop);
        });
    m_opensIt = true;
}

void PartExport::start(const QString& path, Work work)
{
    m_opensIt = false;
    emit messages(tr("Writing %1 \u2026").arg(path));
    m_state = Progress();
    m_progress = new QProgressDialog(QString(), tr("Cancel"), 0, 0, m_window);
    auto* const label = new QLabel(tr("Writing %1").arg(QFileInfo(path).fileName()));
    label->setTextFormat(Qt::PlainText); // a stranger may have named the report
    m_progress->setLabel(label);
    m_progress->setWindowTitle(tr("Export"));
    m_progress->setAttribute(Qt::WA_DeleteOnClose);
    m_progress->setAutoClose(false);
    m_progress->setAutoReset(false);
    m_progress->setMinimumDuration(500);
    connect(m_progress, &QProgressDialog::canceled, this, &PartExport::cancel);
    m_look.start();
    m_writer.start(path,
        [work = std::move(work), state = m_state](const std::stop_token& stop) { return work(state, stop); });
}

void PartExport::showProgress()
{
    const std::uint64_t all = m_state.all->load();
    if (!isBusy()) { // out of memory: already reported
        finish(false);
    } else if (m_progress && all > 0) {
        constexpr int whole = 1000;
        m_progress->setMaximum(whole);
        m_progress->setValue(static_cast<int>(std::min(m_state.done->load(), all) * whole / all));
    }
}

void PartExport::finish(bool isWritten)
{
    m_look.stop();
    if (m_progress) {
        m_progress->disconnect(this);
        m_progress->deleteLater();
        m_progress = nullptr;
    }
    if (isWritten && std::exchange(m_opensIt, false))
        emit ready(m_writer.path());
}

} // namespace warpline
