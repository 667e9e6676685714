#include "app/report_converter.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>

#ifdef Q_OS_UNIX
#include <csignal>
#include <unistd.h>
#endif
#include <utility>

namespace warpline {

namespace {

/// Where the export of `path` belongs: named after the file, its size and its time.
QString cachedExport(const QString& path)
{
    const QFileInfo info(path);
    const QString identity = info.canonicalFilePath() + '|' + QString::number(info.size()) + '|'
        + info.lastModified().toString(Qt::ISODateWithMs) + "|with payloads";
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
#ifdef Q_OS_UNIX
    // A group of its own: nsys starts helpers, and cancelling must end them too.
    m_process.setChildProcessModifier([] { ::setpgid(0, 0); });
#endif
    connect(&m_process, &QProcess::readyRead, this, &ReportConverter::readOutput);
    connect(&m_process, &QProcess::finished, this, &ReportConverter::finish);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart || m_step == Step::Idle)
            return;
        m_step = Step::Idle;
        emit failed(tr("%1 could not be started. Convert the report by hand: %2")
                        .arg(nsysProgram(), commandFor(m_source)));
    });
}

ReportConverter::~ReportConverter()
{
    cancel();
}

bool ReportConverter::isRecorded(const QString& path)
{
    return path.endsWith(".nsys-rep", Qt::CaseInsensitive) || path.endsWith(".qdrep", Qt::CaseInsensitive);
}

QString ReportConverter::nsysProgram()
{
    QString chosen = QSettings().value("nsysProgram").toString();
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
    m_program = nsys;
    m_target = cachedExport(path);
    if (m_cacheUsed && QFileInfo::exists(m_target)) {
        emit converted(m_target);
        return;
    }
    QFile::remove(m_target);
    QDir().mkpath(QFileInfo(m_target).path());
    emit progressed(-1, tr("Converting with %1").arg(nsys));
    // What this nsys can export is in its help: an option that it does not know would make it fail.
    m_step = Step::Asking;
    m_process.start(nsys, {"export", "--help"});
}

void ReportConverter::startExport(const QString& help)
{
    // Under another name until it is complete: a broken run must not be taken for an export next time.
    QStringList arguments{
        "export", "--type", "sqlite", "--force-overwrite", "true", "--output", m_target + ".part"};
    for (const char* const option : {"--include-json=true", "--include-blobs=true", "--dynamic-tables=all"}) {
        const QString name = QString(option).section('=', 0, 0);
        if (help.contains(QRegularExpression(name + "\\b")))
            arguments << option;
    }
    m_output.clear();
    m_step = Step::Exporting;
    m_process.start(m_program, arguments << m_source);
}

void ReportConverter::cancel()
{
    m_step = Step::Idle; // what ends now, ends unheard
    if (m_process.state() == QProcess::NotRunning)
        return;
#ifdef Q_OS_UNIX
    ::kill(-static_cast<pid_t>(m_process.processId()), SIGKILL);
#endif
    m_process.kill();
    m_process.waitForFinished(2000);
    QFile::remove(m_target + ".part");
}

void ReportConverter::readOutput()
{
    const QString text = QString::fromUtf8(m_process.readAll());
    constexpr qsizetype mostOutput = 100'000; // the help in full; of an export the last lines matter
    m_output = (m_output + text).right(mostOutput);
    if (m_step != Step::Exporting)
        return;
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
    if (m_step == Step::Asking) {
        startExport(m_output);
        return;
    }
    if (std::exchange(m_step, Step::Idle) == Step::Idle)
        return; // cancelled
    if (status != QProcess::NormalExit || code != 0 || !QFile::rename(m_target + ".part", m_target)) {
        QFile::remove(m_target + ".part");
        emit failed(tr("nsys export failed for %1: %2").arg(m_source, m_output.trimmed().section('\n', -1)));
        return;
    }
    emit converted(m_target);
}

} // namespace warpline
