// User and host of a report are known, and only shown on request.

#include "core/store/machine_facts.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_machine_facts {

using namespace warpline;

class TestMachineFacts : public QObject {
    Q_OBJECT
private slots:
    void commands_data();
    void commands();
    void hosts();
    void whatWasRecordedComesBack();
};

void TestMachineFacts::commands_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("shown");
    QTest::newRow("options and numbers") << "python3 train.py --batch 32 --lr 0.001 --data /home/anna/set"
                                         << "python3 train.py --batch 32 --lr 0.001 --data ...";
    QTest::newRow("folders") << "/home/anna/bin/storm /home/anna/in.py 4"
                             << "storm in.py 4";
    QTest::newRow("words in a row") << "storm alpha 'b c' delta 4 omega"
                                    << "storm ... 4 ...";
    QTest::newRow("joined values") << "storm --size=12 --name=anna"
                                   << "storm --size=12 --name=...";
    QTest::newRow("a password that looks like an option") << "mysql -psecret --secret!"
                                                          << "mysql ...";
    QTest::newRow("a long number") << "storm 123456789"
                                   << "storm ...";
    QTest::newRow("module") << "python3 -m torch.distributed.run --nproc_per_node 2"
                            << "python3 -m torch.distributed.run --nproc_per_node 2";
    QTest::newRow("message") << "git commit -m secret"
                             << "git ... -m ...";
    QTest::newRow("Windows") << R"(C:\apps\train.exe --lr 3)"
                             << "train.exe --lr 3";
    QTest::newRow("a blank in a folder") << "'/opt/my tools/train' '/home/m\u00fcller/train.py' 5"
                                         << "train train.py 5";
    QTest::newRow("what a shell would run") << R"('/opt/a'\''b; touch x' 5)"
                                            << R"('a'\''b; touch x' 5)";
    QTest::newRow("nothing") << ""
                             << "";
}

void TestMachineFacts::commands()
{
    QFETCH(QString, command);
    QFETCH(QString, shown);
    ReportInfo info;
    info.commandLine = command.toStdString();
    hideMachine(info);
    QCOMPARE(QString::fromStdString(info.commandLine), shown);
    QCOMPARE(QString::fromStdString(commandOf(info)), command);
    hideMachine(info); // again: nothing changes
    QCOMPARE(QString::fromStdString(info.commandLine), shown);
    QCOMPARE(QString::fromStdString(commandOf(info)), command);
}

/// Reports of one host are still recognized, without its name.
void TestMachineFacts::hosts()
{
    const auto shown = [](const char* host) {
        ReportInfo info;
        info.hostName = host;
        hideMachine(info);
        return info.hostName;
    };
    QCOMPARE(shown("gpu-17"), shown("gpu-17"));
    QVERIFY(shown("gpu-17") != shown("gpu-18"));
    QVERIFY2(shown("gpu-17").starts_with("host-") && shown("gpu-17").size() == 11, shown("gpu-17").c_str());
    QCOMPARE(shown("localhost"), std::string("localhost"));
    QCOMPARE(shown(""), std::string());
}

void TestMachineFacts::whatWasRecordedComesBack()
{
    Trace trace;
    trace.info.hostName = "gpu-17";
    trace.info.commandLine = "storm anna";
    trace.info.capture = {{"RATE_HZ", "0"}};
    hideMachine(trace.info);
    for (const auto& [name, value] : trace.info.capture)
        QCOMPARE(isOfMachine(name), name != "RATE_HZ");
    const Trace whole = withMachine(trace);
    QCOMPARE(whole.info.hostName, std::string("gpu-17"));
    QCOMPARE(whole.info.commandLine, std::string("storm anna"));
    QCOMPARE(whole.info.capture.size(), std::size_t{1});
}

WARPLINE_TEST(TestMachineFacts)

} // namespace tst_machine_facts

#include "tst_machine_facts.moc"
