#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <QTest>

namespace warpline::test {

/// How one run of warpline-cli ended.
struct CliRun {
    int code = -1; ///< -1: it crashed, hung or could not be started
    QByteArray output;
    QByteArray errors;

    QJsonObject document() const { return QJsonDocument::fromJson(output).object(); }
    /// The reports of the document, see docs/cli.
    QJsonArray reports() const { return document()["reports"].toArray(); }
    QJsonObject report(qsizetype i = 0) const { return reports().at(i).toObject(); }
    QJsonArray rows(qsizetype i = 0) const { return report(i)["rows"].toArray(); }
    /// The codes of its errors.
    QStringList codes() const
    {
        QStringList codes;
        for (const QJsonValue& error : document()["errors"].toArray())
            codes << error["code"].toString();
        return codes;
    }
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
