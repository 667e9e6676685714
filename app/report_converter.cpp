#include "app/report_converter.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>

namespace warpline {

namespace {

/// Where the export of `path` belongs: named after the file, its size and its time.
QString cachedExport(const QString& path)
{
    const QFileInfo info(path);
    const QString identity = info.canonicalFilePath() + '|' + QString::number(info.size()) + '|'
        + info.lastModified().toString(Qt::ISODateWithMs);
    const QByteArray hash
        = QCryptographicHash::hash(identity.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + "/exports");
    return folder.filePath(info.completeBaseName() + '-' + QString::fromLatin1(hash) + ".sqlite");
}

} // namespace

ReportConverter::ReportConverter(QObject* parent)
    : QObject(parent)
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    connect(&m_process, &QProcess::readyRead, this, &ReportConverter::readOutput);
    connect(&m_process, &QProcess::finished, this, &ReportConverter::finish);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            emit failed(tr("%1 could not be started. Convert the report by hand: %2")
                            .arg(nsysProgram(), commandFor(m_source)));
    });
}

bool ReportConverter::isRecorded(const QString& path)
{
    return path.endsWith(".nsys-rep", Qt::CaseInsensitive) || path.endsWith(".qdrep", Qt::CaseInsensitive);
}

QString ReportConverter::nsysProgram()
{
    const QString chosen = QSettings().value("nsysProgram").toString();
    if (!chosen.isEmpty() && QFileInfo(chosen).isExecutable())
        return chosen;
    return QStandardPaths::findExecutable("nsys");
}

QString ReportConverter::commandFor(const QString& path)
{
    const QFileInfo info(path);
    return QString("nsys export --type sqlite --output \"%1.sqlite\" \"%2\"")
        .arg(info.completeBaseName(), path);
}

void ReportConverter::convert(const QString& path)
{
    cancel();
    m_source = path;
    m_output.clear();
    const QString nsys = nsysProgram();
    if (!QFileInfo::exists(path)) {
        emit failed(tr("%1 does not exist. Check the name.").arg(path));
        return;
    }
    if (nsys.isEmpty()) {
        emit failed(tr("%1 is a recorded report, and no nsys was found on this machine. Where Nsight Systems "
                       "is installed, "
                       "run: %2 \u2014 and open the .sqlite file it writes. (Or set the path of nsys in the "
                       "preferences.)")
                        .arg(path, commandFor(path)));
        return;
    }
    m_target = cachedExport(path);
    if (m_usesCache && QFileInfo::exists(m_target)) {
        emit converted(m_target);
        return;
    }
    QDir().mkpath(QFileInfo(m_target).path());
    emit progressed(-1, tr("Converting with %1").arg(nsys));
    // Under another name until it is complete: a broken run must not be taken for an export next time.
    m_process.start(nsys,
        {"export", "--type", "sqlite", "--force-overwrite", "true", "--output", m_target + ".part", path});
}

void ReportConverter::cancel()
{
    if (!isRunning())
        return;
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished(2000);
    QFile::remove(m_target + ".part");
    connect(&m_process, &QProcess::readyRead, this, &ReportConverter::readOutput);
    connect(&m_process, &QProcess::finished, this, &ReportConverter::finish);
}

void ReportConverter::readOutput()
{
    const QString text = QString::fromUtf8(m_process.readAll());
    m_output = (m_output + text).right(2000);
    static const QRegularExpression percent("(\\d{1,3})%");
    auto matches = percent.globalMatch(text);
    int last = -1;
    while (matches.hasNext())
        last = matches.next().captured(1).toInt();
    if (last >= 0)
        emit progressed(last, tr("Converting with nsys export"));
}

void ReportConverter::finish(int code, QProcess::ExitStatus status)
{
    const bool exported = status == QProcess::NormalExit && code == 0;
    if (exported)
        QFile::remove(m_target); // one that was not to be used
    if (!exported || !QFile::rename(m_target + ".part", m_target)) {
        QFile::remove(m_target + ".part");
        emit failed(tr("nsys export failed for %1: %2").arg(m_source, m_output.trimmed().section('\n', -1)));
        return;
    }
    emit converted(m_target);
}

} // namespace warpline
