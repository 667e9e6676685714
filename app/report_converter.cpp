#include "app/report_converter.h"

#include "core/base/file_wait.h"
#include "core/base/platform/platform.h"
#include "core/load/recording.h"
#include "views/loading/moment.h"
#include "views/style/rich_text.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>

#ifdef Q_OS_UNIX
#include <csignal>
#include <unistd.h>
#endif
#include <system_error>
#include <utility>

namespace warpline {

namespace {

QString commandFor(const QString& path)
{
    return QString::fromStdString(exportCommandFor(path.toStdString()));
}

} // namespace

ReportConverter::ReportConverter(QObject* parent)
    : QObject(parent)
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
#ifdef Q_OS_UNIX
    // Its own process group: nsys starts helpers, which cancelling must end, too.
    m_process.setChildProcessModifier([] { ::setpgid(0, 0); });
#endif
    connect(&m_process, &QProcess::readyRead, this, &ReportConverter::readOutput);
    connect(&m_process, &QProcess::finished, this, &ReportConverter::finish);
    // Later: QProcess tidies up after this signal, and would take a conversion that is started in it for the
    // one that failed.
    connect(
        &m_process, &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            const bool isOfProcess = m_step == Step::Asking || m_step == Step::Exporting;
            if (error != QProcess::FailedToStart || !isOfProcess || m_process.state() != QProcess::NotRunning)
                return;
            m_step = Step::Idle;
            emit failed(tr("%1 could not be started. Convert the report by hand: %2")
                            .arg(nsysProgram(), commandFor(m_source)));
        },
        Qt::QueuedConnection);
}

ReportConverter::~ReportConverter()
{
    cancel();
}

bool ReportConverter::isProgram(const QString& path)
{
    const QFileInfo file(path);
    return file.isFile() && file.isExecutable(); // as folders are
}

QString ReportConverter::nsysProgram()
{
    QString chosen = QSettings().value("nsysProgram").toString();
    if (isProgram(chosen))
        return chosen;
    return QString::fromStdString(installedNsys());
}

void ReportConverter::convert(const QString& path)
{
    cancel();
    m_source = path;
    m_output.clear();
    const QString nsys = nsysProgram();
    m_step = Step::Looking;
    nowOrLater(
        m_looking,
        [path](const std::stop_token&) {
            const FileWait wait(path.toStdString());
            There there{QFileInfo::exists(path), {}, false};
            if (there.exists)
                there.target = QString::fromStdString(exportPathFor(path.toStdString()));
            there.isConverted = !there.target.isEmpty() && QFileInfo::exists(there.target);
            return there;
        },
        [this, nsys](const There& there) {
            m_step = Step::Idle;
            start(there, nsys);
        });
}

void ReportConverter::start(const There& there, const QString& nsys)
{
    const QString path = m_source;
    if (!there.exists) {
        emit failed(tr("%1 does not exist. Check the name.").arg(path));
        return;
    }
    if (nsys.isEmpty()) {
        emit nsysMissing(commandFor(path));
        emit failed(tr(
            "To open %1, Warpline needs Nsight Systems. Set the path of nsys, or export the report on a machine that has it: %2")
                        .arg(path, commandFor(path)));
        return;
    }
    m_program = nsys;
    m_target = there.target;
    if (m_target.isEmpty()) {
        emit failed(
            tr("%1 cannot be read, or the cache folder for its export is missing. Convert it by hand: %2")
                .arg(path, commandFor(path)));
        return;
    }
    std::error_code ignored;
    makePrivateFolder(platform::pathOf(m_target.toStdString()).parent_path(), ignored);
    if (m_cacheUsed && there.isConverted) {
        emit converted(m_target);
        return;
    }
    QFile::remove(m_target);
    emit progressed(-1, tr("Converting with %1").arg(nsys));
    // nsys' help lists its export options: an unknown one would make it fail.
    m_step = Step::Asking;
    m_process.start(nsys, {"export", "--help"});
}

void ReportConverter::startExport(const QString& help)
{
    // Under another name until it is complete: a broken run must not be taken for an export next time.
    m_part.emplace(m_target.toStdString());
    QStringList arguments;
    for (const std::string& argument :
        exportArguments(m_source.toStdString(), m_part->part(), help.toStdString()))
        arguments << QString::fromStdString(argument);
    m_output.clear();
    m_step = Step::Exporting;
    m_process.start(m_program, arguments);
}

void ReportConverter::cancel()
{
    m_looking.abandon();
    m_step = Step::Idle; // ignores the end of the process
    if (m_process.state() == QProcess::NotRunning)
        return;
#ifdef Q_OS_UNIX
    ::kill(-static_cast<pid_t>(m_process.processId()), SIGKILL);
#endif
    m_process.kill();
    m_process.waitForFinished(2000);
    m_part.reset();
}

void ReportConverter::readOutput()
{
    const QString text = QString::fromUtf8(m_process.readAll());
    constexpr qsizetype maxOutput = 100'000; // the help in full; of an export the last lines matter
    m_output = (m_output + text).right(maxOutput);
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
    const bool isExported = status == QProcess::NormalExit && code == 0;
    QString problem = isExported ? QString() : m_output.trimmed().section('\n', -1);
    // Where another window was faster, its export may be open there.
    if (isExported && !(m_cacheUsed && QFileInfo::exists(m_target))) {
        if (const auto kept = m_part->keep(); !kept.ok())
            problem = plainTextOf(kept.error().message);
        closeToOthers(platform::pathOf(m_target.toStdString()));
    }
    m_part.reset();
    if (!isExported || !problem.isEmpty()) {
        emit failed(tr("nsys export failed for %1: %2").arg(m_source, problem));
        return;
    }
    emit converted(m_target);
}

} // namespace warpline
