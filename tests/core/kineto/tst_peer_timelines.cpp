// GPU time in others' traces, compared with another tool's values: computing, exposed communication and
// copies, busy. It counts memsets as computing, and of concurrent work the first in this list. It leaves out
// some work, for the reasons named below.

#include "core/coverage/gpu_times.h"
#include "core/derive/communication.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QTest>

#include <cmath>
#include <map>

namespace tst_peer_timelines {

using namespace warpline;
using namespace warpline::test;

namespace {

/// Milliseconds by the reference's names.
using Times = std::map<QString, double>;

/// Why the reference leaves out a piece of GPU work.
enum class LeftOut {
    No,
    LaunchNotRecorded, ///< no call in the trace launched it: it was launched before the recording began
    NoFlowOfMemset, ///< hipMemsetAsync: the profiler draws no flow from it
    Recomputed, ///< launched during the repeated forward pass of activation checkpointing: separate rows
                ///< there
};

/// By thread, the times in which PyTorch computes activations again.
std::map<GlobalId, std::vector<TimeRange>> recomputedTimes(const Trace& trace)
{
    std::map<GlobalId, std::vector<TimeRange>> times;
    const NvtxTable& ranges = trace.nvtx();
    for (EventIndex i = 0; i < ranges.size(); ++i) {
        if (trace.text(ranges.name[i]).find("checkpoint.py(") != std::string_view::npos
            && trace.text(ranges.name[i]).ends_with("recompute_fn"))
            times[ranges.trackOf(i).owner].push_back(ranges.range(i));
    }
    return times;
}

/// Why the reference does not count `work`. `recomputed`: see recomputedTimes().
LeftOut leftOut(
    const Trace& trace, EventRef work, const std::map<GlobalId, std::vector<TimeRange>>& recomputed)
{
    const EventRef call = trace.apiCallOf(work);
    if (!call.valid())
        return LeftOut::LaunchNotRecorded;
    if (trace.name(call) == "hipMemsetAsync")
        return LeftOut::NoFlowOfMemset;
    const auto found = recomputed.find(trace.apiCalls().trackOf(call.index).owner);
    const Ns at = trace.range(call).start;
    const bool isAgain = found != recomputed.end()
        && std::ranges::any_of(found->second, [at](const TimeRange& range) { return range.contains(at); });
    return isAgain ? LeftOut::Recomputed : LeftOut::No;
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

/// Times by name from computing, communicating and copying ranges.
Times timesFrom(const Trace& trace, std::vector<TimeRange> computing, std::vector<TimeRange> communicating,
    std::vector<TimeRange> copying)
{
    const TimeRange whole{trace.session.start, trace.session.end + 1};
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

/// For the work that the reference counts; `leaves`: by reason, how many pieces it leaves out.
Times timesOfCounted(const Trace& trace, std::map<LeftOut, std::size_t>& leaves)
{
    const auto recomputed = recomputedTimes(trace);
    const CommunicationKernels communicates(trace);
    std::vector<TimeRange> computing;
    std::vector<TimeRange> communicating;
    std::vector<TimeRange> copying;
    for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset}) {
        const EventTable& table = trace.table(kind);
        for (EventIndex i = 0; i < table.size(); ++i) {
            const LeftOut reason = leftOut(trace, {kind, i}, recomputed);
            if (reason != LeftOut::No) {
                ++leaves[reason];
                continue;
            }
            auto& times = kind == EventKind::Memcpy            ? copying
                : kind == EventKind::Kernel && communicates[i] ? communicating
                                                               : computing;
            times.push_back(table.range(i));
        }
    }
    return timesFrom(trace, std::move(computing), std::move(communicating), std::move(copying));
}

/// For all work, as Warpline counts it.
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
    return timesFrom(trace, std::move(computing), std::move(communicating), std::move(copying));
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
        std::map<LeftOut, std::size_t> leaves;
        const Times counted = timesOfCounted(read, leaves);
        const Times all = timesOf(read);
        int compared = 0;
        for (const auto& [name, ours] : leaves.empty() ? all : counted) {
            if (!expected.contains(name))
                continue;
            QVERIFY(all.at(name) > counted.at(name) - tolerance || name.startsWith("exposed"));
            const double more = ours - expected.at(name);
            const QByteArray said
                = QString("%1: %2, expected %3").arg(name).arg(ours).arg(expected.at(name)).toUtf8();
            QVERIFY2(std::abs(more) < tolerance, said.constData());
            ++compared;
        }
        QVERIFY(compared >= 4);
    }
};

WARPLINE_TEST(PeerTimelinesTest)

} // namespace tst_peer_timelines

#include "tst_peer_timelines.moc"
