// The time of GPUs in traces of others, beside what another tool says of them: computing, exposed
// communication and copies, busy. It counts memsets as computing, and of two things at once the first named
// here. Where its figures differ, the reason has a name below.

#include "core/coverage/gpu_times.h"
#include "tests/core/kineto/kineto_helpers.h"

#include <QDirIterator>
#include <QTest>

#include <cmath>
#include <map>

using namespace warpline;
using namespace warpline::test;

namespace {

/// Milliseconds by the reference's names.
using Times = std::map<QString, double>;

/// Definitions of the reference that are others than Warpline's.
enum class Difference {
    /// The reference leaves out kernels and copies that no operator of the trace launched: ours is the
    /// greater.
    LeavesOutWorkWithoutOperator,
};

bool isKnown(const QString& trace, Difference difference)
{
    return difference == Difference::LeavesOutWorkWithoutOperator
        && trace.endsWith("/resnet_act_checkpoint.json.gz");
}

Times referenceOf(const QString& path)
{
    Times times;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return times;
    file.readLine();
    while (!file.atEnd()) {
        const QList<QByteArray> fields = file.readLine().trimmed().split(',');
        if (fields.size() < 4 || fields[3] == "False") // the others are of work that is done again
            times[QString::fromUtf8(fields[0])] = fields[1].toDouble();
    }
    return times;
}

double milliseconds(const Intervals& parts)
{
    Ns sum = 0;
    for (const TimeRange& part : parts)
        sum += part.duration();
    return static_cast<double>(sum) / 1e6;
}

Times timesOf(const Trace& trace)
{
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    std::vector<TimeRange> computing;
    std::vector<TimeRange> communicating;
    std::vector<TimeRange> copying;
    for (const auto& [gpu, times] : gpuTimes(trace, whole)) {
        computing.insert(computing.end(), times.computing.begin(), times.computing.end());
        communicating.insert(communicating.end(), times.communicating.begin(), times.communicating.end());
    }
    const EventTable& sets = trace.table(EventKind::Memset);
    for (EventIndex i = 0; i < sets.size(); ++i)
        computing.push_back(sets.range(i));
    for (EventIndex i = 0; i < trace.memcpys().size(); ++i)
        copying.push_back(trace.memcpys().range(i));
    const Intervals compute = unionOf(std::move(computing), whole);
    const Intervals communication = unionOf(std::move(communicating), whole);
    const Intervals copies = unionOf(std::move(copying), whole);
    const Intervals exposed = difference(communication, compute);
    const Intervals exposedCopies = difference(difference(copies, compute), communication);
    return {{"computation_time", milliseconds(compute)}, {"exposed_comm_time", milliseconds(exposed)},
        {"exposed_memcpy_time", milliseconds(exposedCopies)},
        {"busy_time", milliseconds(compute) + milliseconds(exposed) + milliseconds(exposedCopies)},
        {"total_comm_time", milliseconds(communication)}, {"total_memcpy_time", milliseconds(copies)}};
}

} // namespace

class PeerTimelinesTest : public QObject {
    Q_OBJECT

private slots:
    void timesAreThoseOfTheReference_data()
    {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<QString>("reference");
        const QString folder = WARPLINE_SHARED_REPORTS "/../traces";
        if (!QDir(folder).exists())
            QSKIP("needs ../shared/traces, which is not there");
        QDirIterator files(folder, {"gpu_timeline.csv"}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString reference = files.next();
            const QString stem = reference.section('/', 0, -2).chopped(10); // ".reference"
            QTest::newRow(qPrintable(stem.section('/', -1))) << stem + ".json.gz" << reference;
        }
    }
    void timesAreThoseOfTheReference()
    {
        QFETCH(QString, trace);
        QFETCH(QString, reference);
        const auto loaded = loadReport(trace.toStdString());
        QVERIFY(loaded.ok());
        const Trace& read = *loaded.value();
        const std::size_t pieces
            = read.kernels().size() + read.memcpys().size() + read.table(EventKind::Memset).size();
        // The reference has times as double-precision microseconds: each end is off by up to a quarter.
        const double tolerance = 1e-4 + 2.5e-4 * 2 * std::sqrt(static_cast<double>(pieces));
        const Times expected = referenceOf(reference);
        int compared = 0;
        for (const auto& [name, ours] : timesOf(read)) {
            if (!expected.contains(name))
                continue;
            const double more = ours - expected.at(name);
            const QByteArray said
                = QString("%1: %2, expected %3").arg(name).arg(ours).arg(expected.at(name)).toUtf8();
            if (isKnown(trace, Difference::LeavesOutWorkWithoutOperator))
                QVERIFY2(more > -tolerance, said.constData());
            else
                QVERIFY2(std::abs(more) < tolerance, said.constData());
            ++compared;
        }
        QVERIFY(compared >= 4);
    }
};

QTEST_APPLESS_MAIN(PeerTimelinesTest)
#include "tst_peer_timelines.moc"
