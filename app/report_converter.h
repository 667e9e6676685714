#pragma once

#include <QObject>
#include <QProcess>
#include <QString>

namespace warpline {

/// Turns a recorded report (.nsys-rep, .qdrep) into an export with the user's own nsys, in the cache folder.
/// Nothing is written beside the report.
class ReportConverter : public QObject {
    Q_OBJECT
public:
    explicit ReportConverter(QObject* parent = nullptr);

    /// True for files that must be converted before they can be read.
    static bool isRecorded(const QString& path);
    /// The nsys of the preferences, else the one on PATH; empty when there is none.
    static QString nsysProgram();
    /// The command that does by hand what convert() does.
    static QString commandFor(const QString& path);

    /// Starts converting; an export of the same file, size and time made before is used again, unless that
    /// was switched off.
    void convert(const QString& path);
    void setUsesCache(bool uses) { m_usesCache = uses; }
    void cancel();
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }

signals:
    void progressed(int percent, const QString& text); ///< percent -1: not known
    void converted(const QString& exportPath);
    void failed(const QString& message);

private:
    void readOutput();
    void finish(int code, QProcess::ExitStatus status);

    QProcess m_process;
    QString m_source;
    QString m_target;
    bool m_usesCache = true;
    QString m_output; ///< the last lines, for the error
};

} // namespace warpline
