#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QProcess>
#include <QStringList>
#include <QTest>

namespace warpline::test {

/// How one run of warpline-cli ended.
struct CliRun {
    int code = -1; ///< -1: it crashed, hung or could not be started
    QByteArray output;
    QByteArray errors;

    QJsonDocument json() const { return QJsonDocument::fromJson(output); }
    /// Lines on standard error.
    qsizetype errorLines() const { return errors.count('\n'); }
};

/// Runs the built warpline-cli to its end.
inline CliRun runCli(const QStringList& arguments)
{
    constexpr int patienceMs = 120'000;
    QProcess process;
    process.start(QStringLiteral(WARPLINE_CLI), arguments);
    CliRun run;
    if (process.waitForFinished(patienceMs) && process.exitStatus() == QProcess::NormalExit)
        run.code = process.exitCode();
    run.output = process.readAllStandardOutput();
    run.errors = process.readAllStandardError();
    return run;
}

} // namespace warpline::test
