// docs/notebooks.md: its pandas examples run unchanged, and agree with the program's JSON.

#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>

namespace tst_notebooks {

using namespace warpline::test;

namespace {

const QString trained = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
const QString other = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");
const QString python = "/usr/bin/python3"; // Debian's, which has Debian's pandas

/// The blocks of Python below the heading "pandas", joined.
QString pandasExamples()
{
    QFile file(WARPLINE_SOURCE_DIR "/docs/notebooks.md");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString section
        = QString::fromUtf8(file.readAll()).section("\n## pandas\n", 1).section("\n## ", 0, 0);
    static const QRegularExpression block(
        "```python\n(.*?)```", QRegularExpression::DotMatchesEverythingOption);
    QString code;
    for (const QRegularExpressionMatch& match : block.globalMatch(section))
        code += match.captured(1) + '\n';
    return code;
}

/// Runs `code`; its standard output.
QByteArray runPython(const QString& code, const QString& folder, QByteArray& errors)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(
        "PATH", QFileInfo(QStringLiteral(WARPLINE_CLI)).path() + ':' + environment.value("PATH"));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    process.start(python, {"-c", code});
    constexpr int patienceMs = 240'000;
    process.waitForFinished(patienceMs);
    errors = process.readAllStandardError();
    return process.exitCode() == 0 ? process.readAllStandardOutput() : QByteArray();
}

} // namespace

class NotebooksTest : public QObject {
    Q_OBJECT

private slots:
    void pandasExamplesRun()
    {
        QTemporaryDir folder;
        QByteArray errors;
        if (runPython("import pandas; print(1)", folder.path(), errors).isEmpty())
            QSKIP("pandas is not installed for /usr/bin/python3: apt-get install python3-pandas");
        QVERIFY(QFile::copy(trained, folder.filePath("report.sqlite")));
        QVERIFY(QFile::copy(other, folder.filePath("other.sqlite")));
        const QString code = pandasExamples();
        QVERIFY(code.count("print(") >= 5);
        // The examples' results, as numbers that the program outputs in another way.
        const QString facts = "print('FACTS', json.dumps({'kernels': len(kernels), "
                              "'sum': int(by_name['sum'].sum()), 'steps': len(steps), "
                              "'off': int((budget.sum(axis=1) - steps['GPU Duration (ns)']).abs().max()), "
                              "'findings': len(findings), 'files': int(findings['file'].nunique()), "
                              "'gaps': len(gaps), 'verdict': change['verdict'], 'parts': len(parts)}))";
        const QByteArray output = runPython(code + facts, folder.path(), errors);
        QVERIFY2(!output.isEmpty(), errors.constData());
        const QJsonObject said
            = QJsonDocument::fromJson(output.mid(output.lastIndexOf("FACTS ") + 6)).object();
        const QString question = "SELECT count(*) AS n, sum(duration) AS ns FROM kernels";
        const QJsonObject whole
            = runCli({"sql", "--format", "json", trained, question}).rows().at(0).toObject();
        QVERIFY(whole["n"].toInteger() > 0);
        QCOMPARE(said["kernels"].toInteger(), whole["n"].toInteger());
        QCOMPARE(said["sum"].toInteger(), whole["ns"].toInteger());
        const QJsonObject steps = runCli({"steps", "--format", "json", trained}).report();
        QCOMPARE(said["steps"].toInteger(), steps["steps"].toArray().size());
        QCOMPARE(said["off"].toInteger(), 0);
        qsizetype findings = 0;
        for (const QJsonValue& report : runCli({"analyze", "--format", "json", trained, other}).reports())
            findings += report["findings"].toArray().size();
        QCOMPARE(said["findings"].toInteger(), findings);
        QCOMPARE(said["files"].toInteger(), 2);
        QCOMPARE(said["gaps"].toInteger(), 20);
        const QJsonObject change = runCli({"compare", "--format", "json", trained, other}).report();
        QCOMPARE(said["verdict"].toString(), change["verdict"].toString());
        QCOMPARE(said["parts"].toInteger(), change["budget"].toArray().size());
    }
};

WARPLINE_TEST(NotebooksTest)

} // namespace tst_notebooks

#include "tst_notebooks.moc"
