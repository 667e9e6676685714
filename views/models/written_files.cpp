#include "views/models/written_files.h"

#include "core/base/file_wait.h"
#include "core/base/platform/platform.h"
#include "core/store/trace.h"
#include "views/loading/moment.h"
#include "views/session/run_pair.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"

#include <QBuffer>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QMessageBox>
#include <QSaveFile>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace warpline {

namespace {

void addPaths(std::vector<std::filesystem::path>& paths, const Workspace& workspace)
{
    for (const OpenReport& report : workspace.reports())
        paths.push_back(platform::pathOf(report.trace->info.path));
}

/// Whether the disk of `file`, which was opened and could not be written, is full or nearly so.
bool isDiskFull(const QSaveFile& file)
{
    constexpr std::uintmax_t few = 64U << 20U; // some systems refuse a large write as a whole
    const std::string folder = QFileInfo(file.fileName()).absolutePath().toStdString();
    const FileWait wait(folder);
    std::error_code problem;
    const auto space = std::filesystem::space(platform::pathOf(folder), problem);
    return !problem && space.available < few;
}

/// The system's error for `file`, with the user's name of the file.
Error notWritten(const QSaveFile& file)
{
    const QString text = file.isOpen() && isDiskFull(file)
        ? QObject::tr("Cannot write %1: %2. Free disk space, or choose another folder.")
        : QObject::tr("Cannot write %1: %2. Choose another folder.");
    return Message(text.arg(file.fileName(), file.errorString()).toStdString());
}

/// "vit_findings.html" for the report vit.sqlite and `ending` "findings.html": the suggested name of a file.
QString exportName(const Trace& trace, const QString& ending)
{
    const QString report = QFileInfo(QString::fromStdString(trace.info.path)).completeBaseName();
    return report.isEmpty() ? ending : report + '_' + ending;
}

} // namespace

Result<void> saveText(
    const QString& path, const std::stop_token& stop, const std::function<bool(const TextSink& sink)>& write)
{
    const auto onDisk = [name = path.toStdString()](auto&& step) {
        const FileWait wait(name);
        return step();
    };
    QSaveFile file(path);
    if (!onDisk([&] { return file.open(QIODevice::WriteOnly); }))
        return notWritten(file);
    const TextSink sink = [&](std::string_view piece) {
        qint64 written = 0;
        while (!piece.empty() && !stop.stop_requested() && (written = onDisk([&] {
            return file.write(piece.data(), static_cast<qint64>(piece.size()));
        })) > 0)
            piece.remove_prefix(static_cast<std::size_t>(written));
        return piece.empty();
    };
    const bool isWhole = write(sink);
    if (stop.stop_requested())
        return Error{Message(QObject::tr("Export was cancelled.").toStdString())};
    // A disk that becomes full takes a part first. commit() takes that for all, and the first flush() has no
    // name for it: the second one meets the error.
    const bool isFlushed = onDisk([&] { return file.flush() || file.flush(); });
    if (stop.stop_requested()) // while the disk did not answer: a later file may be there
        return Error{Message(QObject::tr("Export was cancelled.").toStdString())};
    return isFlushed && isWhole && onDisk([&] { return file.commit(); }) ? Result<void>() : notWritten(file);
}

Result<void> writeFile(const QString& path, const QByteArray& content, const std::stop_token& stop)
{
    return saveText(path, stop, [&](const TextSink& sink) {
        return sink({content.constData(), static_cast<std::size_t>(content.size())});
    });
}

Result<void> writePicture(const QString& path, const QImage& picture, const std::stop_token& stop)
{
    QByteArray content;
    QBuffer buffer(&content);
    if (!buffer.open(QIODevice::WriteOnly)
        || !picture.save(&buffer, QFileInfo(path).suffix().toLatin1().constData()))
        return Error{
            Message(QObject::tr("%1 cannot be written: its ending names no format of pictures, such as .png.")
                        .arg(path)
                        .toStdString())};
    return writeFile(path, content, stop);
}

FileWriter::FileWriter(Session* session, QObject* parent)
    : QObject(parent),
      m_session(session)
{
}

FileWriter::Work FileWriter::unlessOpen(const QString& path, Work work) const
{
    std::vector<std::filesystem::path> open;
    if (m_session)
        addPaths(open, m_session->workspace());
    if (m_session && m_session->pair().isOn())
        addPaths(open, m_session->pair().b().workspace());
    for (const QString& file : m_session ? m_session->filesInUse() : QStringList())
        open.push_back(platform::pathOf(file.toStdString()));
    return [open = std::move(open), path, work = std::move(work)](
               const std::stop_token& stop) -> Result<void> {
        const auto isOneOf = [&] {
            const FileWait wait(path.toStdString());
            const std::filesystem::path target = platform::pathOf(path.toStdString());
            std::error_code ignored;
            return std::filesystem::exists(target, ignored)
                && std::ranges::any_of(open, [&](const std::filesystem::path& report) {
                       return std::filesystem::equivalent(target, report, ignored);
                   });
        };
        if (isOneOf())
            return Error{
                Message(QObject::tr("%1 is a report in use. Choose another name.").arg(path).toStdString())};
        return work(stop);
    };
}

QWidget* FileWriter::above() const
{
    QObject* owner = parent();
    while (!owner->isWidgetType())
        owner = owner->parent();
    return qobject_cast<QWidget*>(owner);
}

QString FileWriter::ask(const QString& title, const QString& ending, const QString& filters)
{
    const auto trace = m_session->sharedTrace();
    static QString lastFolder; // of the last export
    const QString folder = lastFolder.isEmpty()
        ? QFileInfo(QString::fromStdString(trace->info.path)).absolutePath()
        : lastFolder;
    const QString path
        = QFileDialog::getSaveFileName(above(), title, folder + '/' + exportName(*trace, ending), filters);
    if (!path.isEmpty())
        lastFolder = QFileInfo(path).absolutePath();
    return path.isEmpty() || isStill(trace) ? path : QString();
}

bool FileWriter::isStill(const std::shared_ptr<const Trace>& trace)
{
    const auto shown = m_session->sharedTrace();
    // While a report is read, more of it takes the place of what was read.
    const bool isSame = shown == trace || (!trace->complete && shown->info.path == trace->info.path);
    if (!isSame)
        emit messages(QObject::tr("Another report is open now. Nothing was written."));
    return isSame;
}

bool FileWriter::isRead(bool complete)
{
    if (!complete)
        emit messages(QObject::tr("The report is not read completely. Nothing was exported."));
    return complete;
}

/// Whether the same file is being written: then `next` waits, in place of one that waits already.
bool FileWriter::isQueued(const QString& path, std::function<void()> next)
{
    const bool isSame = isBusy() && path == m_path;
    m_next = isSame ? std::move(next) : nullptr;
    m_path = path;
    return isSame;
}

void FileWriter::start(const QString& path, Work work, Done done)
{
    if (isQueued(path, [=, this] { start(path, work, done); }))
        return;
    m_job.abandon();
    m_job.start(unlessOpen(path, std::move(work)),
        [this, done = std::move(done)](const Result<void>& written) { finish(written, done); });
}

void FileWriter::write(const QString& path, Work work, Done done)
{
    if (isQueued(path, [=, this] { write(path, work, done); }))
        return;
    nowOrLater(m_job, unlessOpen(path, std::move(work)),
        [this, done = std::move(done)](const Result<void>& written) { finish(written, done); });
}

void FileWriter::finish(const Result<void>& written, const Done& done)
{
    done ? done(written) : tell(written);
    if (const auto next = std::exchange(m_next, {}))
        next();
    else
        emit finished(written.ok());
}

void FileWriter::cancel()
{
    m_next = {};
    if (!isBusy())
        return;
    m_job.abandon();
    emit messages(QObject::tr("Writing %1 was cancelled.").arg(m_path));
    emit finished(false);
}

void FileWriter::tell(const Result<void>& written)
{
    if (written.ok()) {
        emit messages(QObject::tr("Saved %1").arg(m_path));
        return;
    }
    const QString message = plainTextOf(written.error().message);
    tellFailure(message, above());
    emit messages(message);
}

void tellFailure(const QString& message, QWidget* parent)
{
    auto* const box = new QMessageBox(
        QMessageBox::Warning, QObject::tr("Export"), message, QMessageBox::Ok, parent->window());
    box->setObjectName("export-failed");
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace warpline
