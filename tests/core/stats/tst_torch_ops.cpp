// torch_ops compared with torch.profiler's key_averages() for the same recording. Counts and times are equal.
// GPU times differ where PyTorch adds an operator's GPU work again to a call, or to work of the profiler,
// with the same number: then PyTorch's value is larger, and the sums over all operators' own GPU time show
// that ours is complete.

#include "core/kernels/demangle.h"
#include "core/render/render.h"
#include "core/stats/stats_table.h"
#include "core/stats/torch_tree.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <map>
#include <set>

namespace tst_torch_ops {

using namespace warpline;
using namespace warpline::test;

class TorchOpsTest : public QObject {
    Q_OBJECT

private slots:
    void equalsKeyAverages_data();
    void equalsKeyAverages();
    void drawnTree();
};

namespace {

struct Figures {
    std::int64_t count = 0;
    std::array<double, 4> us{}; ///< self CPU, CPU, self GPU, GPU
};

/// Fields of a line of CSV: PyTorch quotes those with commas.
QStringList fieldsOfLine(const QString& line)
{
    QStringList fields{QString()};
    bool quoted = false;
    for (const QChar c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields << QString();
        else
            fields.back() += c;
    }
    return fields;
}

std::multimap<QString, Figures> printed(const QString& path)
{
    std::multimap<QString, Figures> rows;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return rows;
    file.readLine();
    while (!file.atEnd()) {
        const QStringList fields = fieldsOfLine(QString::fromUtf8(file.readLine()).trimmed());
        Figures figures{fields[1].toLongLong(), {}};
        for (int i = 0; i < 4; ++i)
            figures.us[static_cast<std::size_t>(i)] = fields[2 + i].toDouble();
        // PyTorch leaves names of more than a thousand letters mangled.
        const QString readable = QString::fromStdString(demangled(fields[0].toStdString()));
        rows.emplace(readable.isEmpty() ? fields[0] : readable, figures);
    }
    return rows;
}

std::multimap<QString, Figures> ours(const Trace& trace)
{
    std::multimap<QString, Figures> rows;
    const Cells cells = findStatsTable("torch_ops")->fill(trace, {});
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        Figures figures{std::get<std::int64_t>(cells.at(row, 1)), {}};
        const std::array<std::size_t, 4> columns{2, 3, 5, 6};
        for (std::size_t i = 0; i < 4; ++i)
            figures.us[i] = static_cast<double>(std::get<std::int64_t>(cells.at(row, columns[i]))) / 1000;
        rows.emplace(QString::fromStdString(std::get<std::string>(cells.at(row, 8))), figures);
    }
    return rows;
}

bool isEqual(const Figures& a, const Figures& b, std::size_t from, std::size_t to)
{
    for (std::size_t i = from; i < to; ++i) {
        if (std::fabs(a.us[i] - b.us[i]) > static_cast<double>(a.count)) // 1 us a call
            return false;
    }
    return a.count == b.count;
}

} // namespace

namespace {

/// All GPU work that an operator launched, once.
void checkSum(const Trace& trace)
{
    Ns own = 0;
    for (const TorchNode& node : torchTree(trace, {}, {}))
        own += node.selfGpu;
    Ns launched = 0;
    for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset}) {
        const EventTable& table = trace.table(kind);
        for (EventIndex i = 0; i < table.size(); ++i)
            launched += table.duration[i];
    }
    QVERIFY(own <= launched);
    QVERIFY(own > launched / 2);
}

} // namespace

void TorchOpsTest::equalsKeyAverages_data()
{
    QTest::addColumn<QString>("path");
    for (const QString& path : allTraces()) {
        if (path.endsWith(".json.gz")
            && QFile::exists(QString(path).replace(".json.gz", ".key_averages.csv")))
            QTest::addRow("%s", qPrintable(QFileInfo(path).fileName())) << path;
    }
}

void TorchOpsTest::equalsKeyAverages()
{
    QFETCH(QString, path);
    const auto trace = loadReport(path.toStdString());
    QVERIFY2(trace.ok(), trace.ok() ? "" : plain(trace.error().message).c_str());
    const auto truth = printed(QString(path).replace(".json.gz", ".key_averages.csv"));
    const auto rows = ours(*trace.value());
    QCOMPARE(rows.size(), truth.size());
    int twice = 0;
    for (const auto& [name, figures] : truth) {
        const auto [first, last] = rows.equal_range(name);
        const auto same
            = std::find_if(first, last, [&](const auto& row) { return isEqual(figures, row.second, 0, 4); });
        if (same != last)
            continue;
        const auto sameCpu
            = std::find_if(first, last, [&](const auto& row) { return isEqual(figures, row.second, 0, 2); });
        QVERIFY2(sameCpu != last, qPrintable(name));
        const auto isMore = [&](std::size_t i) { // except for the rounding of many added decimals
            return figures.us[i] >= sameCpu->second.us[i] - 0.01;
        };
        QVERIFY2(isMore(2) && isMore(3), qPrintable(name));
        ++twice;
    }
    qInfo("%d of %d rows have GPU time that PyTorch counted twice", twice, int(truth.size()));
    checkSum(*trace.value());
}

void TorchOpsTest::drawnTree()
{
    const auto event = [](const char* category, const char* name, int start, int length, int id) {
        return QString(R"({"ph": "X", "cat": "%1", "name": "%2", "pid": %3, "tid": %3, "ts": %4, "dur": %5,
            "args": {"correlation": %6, "device": 0, "stream": 7, "Input Dims": [[%5]]}})")
            .arg(category, name)
            .arg(QString(category) == "kernel" ? 0 : 9)
            .arg(start)
            .arg(length)
            .arg(id)
            .toUtf8();
    };
    const QList<QByteArray> events{event("user_annotation", "step", 0, 100, 0),
        event("cpu_op", "aten::add", 10, 40, 0), event("cpu_op", "aten::add", 12, 30, 0),
        event("cuda_runtime", "cudaLaunchKernel", 15, 5, 1), event("kernel", "k()", 50, 7, 1),
        event("cpu_op", "aten::mul", 60, 10, 0), event("cpu_op", "aten::output_nr", 62, 2, 0)};
    const auto trace = loadText("[" + events.join(",\n") + "]");
    QVERIFY(trace.ok());
    const auto rows = ours(*trace.value());
    QCOMPARE(rows.size(), std::size_t{5});
    const auto of = [&](const char* name) { return rows.find(name)->second; };
    QCOMPARE(of("step").us, (std::array<double, 4>{50, 100, 0, 7}));
    QCOMPARE(of("aten::add").count, std::int64_t{1}); // one in the other is one
    QCOMPARE(of("aten::add").us, (std::array<double, 4>{35, 40, 7, 7}));
    QCOMPARE(of("cudaLaunchKernel").us, (std::array<double, 4>{5, 5, 0, 0}));
    QCOMPARE(of("aten::mul").us, (std::array<double, 4>{10, 10, 0, 0}));
    QCOMPARE(of("k()").us, (std::array<double, 4>{0, 0, 7, 7}));
    StatsQuery query;
    query.variant = "shapes";
    const Cells cells = findStatsTable("torch_ops")->fill(*trace.value(), query);
    QCOMPARE(cells.columns.at(9).title, std::string("Input Shapes"));
    std::set<std::string> shapes; // of the drawn events each is as long as it lasts
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        if (std::get<std::string>(cells.at(row, 8)) == "aten::add")
            shapes.insert(std::get<std::string>(cells.at(row, 9)));
    }
    QCOMPARE(shapes, std::set<std::string>{"[[40]]"});
    QVERIFY(findStatsTable("torch_ops")->applies(*trace.value()));
}

WARPLINE_TEST(TorchOpsTest)

} // namespace tst_torch_ops

#include "tst_torch_ops.moc"
