#include "views/models/written_files.h"

#include "core/base/platform/platform.h"
#include "core/store/trace.h"
#include "views/loading/moment.h"
#include "views/session/run_pair.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"

#include <QBuffer>
#include <QFileInfo>
#include <QMessageBox>
#include <QObject>
#include <QPixmap>
#include <QSaveFile>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace warpline {

namespace {

void addPaths(std::vector<std::filesystem::path>& paths, const Workspace& workspace)
{
    for (const OpenReport& report : workspace.reports())
        paths.push_back(platform::pathOf(report.trace->info.path));
}

/// The system's error for `file`, with the user's name of the file.
Error notWritten(const QSaveFile& file)
{
    return Message(QObject::tr("Cannot write %1: %2. Free disk space, or choose another folder.")
                       .arg(file.fileName(), file.errorString())
                       .toStdString());
}

} // namespace

Result<void> saveText(
    const QString& path, const std::stop_token& stop, const std::function<bool(const TextSink& sink)>& write)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return notWritten(file);
    const TextSink sink = [&](std::string_view piece) {
        qint64 written = 0;
        while (!piece.empty() && !stop.stop_requested()
            && (written = file.write(piece.data(), static_cast<qint64>(piece.size()))) > 0)
            piece.remove_prefix(static_cast<std::size_t>(written));
        return piece.empty();
    };
    const bool isWhole = write(sink);
    if (stop.stop_requested())
        return Error{Message(QObject::tr("Export was cancelled.").toStdString())};
    // A disk that becomes full takes a part first. commit() takes that for all, and the first flush() has no
    // name for it: the second one meets the error.
    if ((!file.flush() && !file.flush()) || !isWhole || !file.commit())
        return notWritten(file);
    return {};
}

Result<void> writeFile(const QString& path, const QByteArray& content)
{
    return saveText(path, {}, [&](const TextSink& sink) {
        return sink({content.constData(), static_cast<std::size_t>(content.size())});
    });
}

Result<void> writePicture(const QString& path, const QPixmap& picture)
{
    QByteArray content;
    QBuffer buffer(&content);
    if (!buffer.open(QIODevice::WriteOnly)
        || !picture.save(&buffer, QFileInfo(path).suffix().toLatin1().constData()))
        return Error{
            Message(QObject::tr("%1 cannot be written: its ending names no format of pictures, such as .png.")
                        .arg(path)
                        .toStdString())};
    return writeFile(path, content);
}

bool mayWrite(Session& session, const QString& path, QWidget* parent)
{
    std::vector<std::filesystem::path> open;
    addPaths(open, session.workspace());
    if (session.pair().isOn())
        addPaths(open, session.pair().b().workspace());
    const auto isOneOf = [open, target = platform::pathOf(path.toStdString())] {
        std::error_code ignored;
        return std::filesystem::exists(target, ignored)
            && std::ranges::any_of(open, [&](const std::filesystem::path& report) {
                   return std::filesystem::equivalent(target, report, ignored);
               });
    };
    const auto isOpen = withinAMoment(isOneOf, std::chrono::seconds(1));
    if (isOpen && !*isOpen)
        return true;
    tellFailure((isOpen ? QObject::tr("%1 is an open report. Choose another name.")
                        : QObject::tr("%1 was not written: a disk is slow. Try again, or choose a new name."))
                    .arg(path),
        parent);
    return false;
}

QString tellOutcome(const Result<void>& written, const QString& path, QWidget* parent)
{
    if (written.ok())
        return QObject::tr("Saved %1").arg(path);
    const QString message = plainTextOf(written.error().message);
    tellFailure(message, parent);
    return message;
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

QString exportName(const Trace& trace, const QString& ending)
{
    const QString report = QFileInfo(QString::fromStdString(trace.info.path)).completeBaseName();
    return report.isEmpty() ? ending : report + '_' + ending;
}

} // namespace warpline
