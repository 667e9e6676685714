#pragma once

#include "core/base/pending_file.h"
#include "views/loading/latest_job.h"

#include <QObject>
#include <QProcess>
#include <QString>

#include <optional>

namespace warpline {

/// Exports a recording (.nsys-rep, .qdrep) with the user's own nsys into the cache folder. Writes nothing
/// next to the recording.
class ReportConverter : public QObject {
    Q_OBJECT
public:
    explicit ReportConverter(QObject* parent = nullptr);
    ~ReportConverter() override;

    /// Whether `path` is a file that can be started.
    static bool isProgram(const QString& path);
    /// The nsys of the preferences, else the one on PATH; empty when there is none.
    static QString nsysProgram();

    /// Starts converting, with JSON and binary payloads, and tables of them where this nsys knows such; an
    /// export of the same file, size and time made before is used again.
    void convert(const QString& path);
    /// Ends a conversion with all its processes, silently.
    void cancel();
    /// Whether previous exports are reused; the default is true.
    void setCacheUsed(bool used) { m_cacheUsed = used; }
    bool isRunning() const { return m_step != Step::Idle; }

signals:
    void progressed(int percent, const QString& text); ///< percent -1: not known
    void converted(const QString& exportPath);
    void failed(const QString& message);
    void nsysMissing(const QString& command); ///< before failed(): it would have run this

private:
    enum class Step { Idle, Looking, Asking, Exporting };
    struct There {
        bool exists = false; ///< the recording
        QString target; ///< for its export; empty: none can be made
        bool isConverted = false; ///< the target is there
    };

    void start(const There& there, const QString& nsys);
    /// Starts nsys with those of the wanted options that its help lists.
    void startExport(const QString& help);
    void readOutput();
    void finish(int code, QProcess::ExitStatus status);

    QProcess m_process;
    LatestJob m_looking{JobPool::files()};
    Step m_step = Step::Idle;
    QString m_program;
    QString m_source;
    QString m_target;
    std::optional<PendingFile> m_part; ///< what nsys writes: another window may convert the same
    bool m_cacheUsed = true;
    QString m_output; ///< the help, then the last lines, for the error
};

} // namespace warpline
