#include "views/session/fleet_summary.h"

#include "core/base/file_wait.h"
#include "core/base/path_names.h"
#include "core/export/ranks_text.h"
#include "views/loading/moment.h"
#include "views/style/rich_text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace warpline {

namespace {

constexpr qint64 headBytes = 64;
constexpr qint64 maxBytes = 200'000'000; ///< of a summary: ten thousand ranks need half of it

} // namespace

bool FleetSummary::isSummary(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && beginsRanksJson(file.read(headBytes).toStdString());
}

void FleetSummary::open(const QString& path, std::function<void(const QString& problem)> done)
{
    struct Read {
        std::shared_ptr<const AcrossReport> across;
        QString path;
        QString problem;
    };
    nowOrLater(
        m_reading,
        [path](const std::stop_token&) -> Read {
            const FileWait wait(path.toStdString());
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly))
                return {nullptr, path, tr("%1 cannot be read.").arg(path)};
            if (file.size() > maxBytes)
                return {nullptr, path, tr("%1 is too large for a summary of ranks.").arg(path)};
            auto across = ranksFromJson(file.readAll().toStdString());
            if (!across.ok())
                return {nullptr, path, path + ": " + plainTextOf(across.error().message)};
            return {
                std::make_shared<const AcrossReport>(across.take()), QFileInfo(path).absoluteFilePath(), {}};
        },
        [this, done = std::move(done)](const Read& read) {
            if (read.across) {
                m_across = read.across;
                m_path = read.path;
                emit changed();
            }
            done(read.problem);
        });
}

void FleetSummary::close()
{
    const bool wasReading = isReading();
    m_reading.abandon();
    if (!m_across && !wasReading)
        return;
    m_across.reset();
    m_path.clear();
    emit changed();
}

QString FleetSummary::fileOf(ReportId report) const
{
    const QString given = QString::fromStdString(m_across->reports[raw(report)].file);
    const QDir folder = QFileInfo(m_path).dir();
    for (const QString& place :
        {given, folder.filePath(given), folder.filePath(QFileInfo(given).fileName())}) {
        const bool isElsewhere = namesMachine(place.toStdString()) && !namesMachine(m_path.toStdString());
        if (!isElsewhere && QFileInfo(place).isFile())
            return QFileInfo(place).absoluteFilePath();
    }
    return {};
}

void FleetSummary::wantReport(ReportId report, TimeRange own)
{
    if (!m_across || raw(report) >= m_across->reports.size())
        return;
    if (const QString file = fileOf(report); !file.isEmpty())
        emit reportWanted(file, own);
    else
        emit reportMissing(
            tr("%1 was not found, and is not next to %2 either. Copy the report there to open it.")
                .arg(textOf(m_across->reports[raw(report)].file), QFileInfo(m_path).fileName()));
}

} // namespace warpline
