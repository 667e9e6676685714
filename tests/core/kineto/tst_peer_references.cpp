// Files of the references beside the shared traces that other tests do not read: kernels by name, short
// kernels and their histogram, operators by arguments, collectives. gpu_timeline.csv is read by
// tst_peer_timelines, unified_perf_summary.csv by tst_operators (the files of one class, GEMM.csv and its
// like, are rows of it), ops_summary.csv by tst_external_ids, tst_graph_origins and tst_torch_memory,
// ops_summary_by_category.csv by tst_rocm_classes; unified_perf_callstacks.csv has no numbers.

#include "core/stats/stats_table.h"
#include "tests/core/kineto/kineto_helpers.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QTest>

#include <cmath>
#include <map>
#include <set>

namespace tst_peer_references {

using namespace warpline;
using namespace warpline::test;

namespace {

using Rows = std::vector<std::map<QByteArray, QByteArray>>;

/// The rows of a CSV file with quoted cells, by the titles of its columns.
Rows rowsOf(const QString& path)
{
    QFile file(path);
    Rows rows;
    if (!file.open(QIODevice::ReadOnly))
        return rows;
    QList<QByteArray> titles;
    QList<QByteArray> cells{QByteArray()};
    bool quoted = false;
    for (const char c : file.readAll()) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.append(QByteArray());
        } else if (c == '\n' && !quoted) {
            if (titles.isEmpty()) {
                titles = cells;
            } else {
                auto& row = rows.emplace_back();
                for (qsizetype i = 0; i < std::min(titles.size(), cells.size()); ++i)
                    row[titles[i]] = cells[i];
            }
            cells = {QByteArray()};
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    return rows;
}

const QString sharedFolder = QString::fromUtf8(WARPLINE_SHARED_REPORTS) + "/../traces/";

/// Rows of test data: the references that have `file`.
void addReferences(const char* file)
{
    QTest::addColumn<QString>("reference");
    QTest::newRow("none") << QString();
    QDirIterator each(sharedFolder, {"*.reference"}, QDir::Dirs, QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QString folder = each.next();
        if (QFile::exists(folder + "/" + file))
            QTest::newRow(qPrintable(QFileInfo(folder).fileName())) << folder;
    }
}

std::shared_ptr<const Trace> traceOf(QString reference)
{
    const auto loaded = loadReport(reference.replace(".reference", ".json.gz").toStdString());
    return loaded.ok() ? loaded.value() : nullptr;
}

struct KernelSums {
    std::uint64_t count = 0;
    Ns sum = 0;
    Ns shortest = std::numeric_limits<Ns>::max();
    Ns longest = 0;
    bool operator==(const KernelSums&) const = default;
};

/// A list of shapes, or a tuple of Python, in one form: "[[512],[141,512],[]]".
std::string shapesOf(std::string text)
{
    std::erase_if(text, [](char c) { return c == ' '; });
    std::ranges::replace(text, '(', '[');
    std::ranges::replace(text, ')', ']');
    for (std::size_t at = 0; (at = text.find(",]", at)) != std::string::npos;)
        text.erase(at, 1);
    return text == "nan" || text == "[]" ? std::string() : text;
}

/// An operator by name and shapes. One that calls itself with other shapes has one row here, as in PyTorch's
/// key_averages(), and two in the reference: matches by name.
std::string operatorKey(const std::string& name, const std::string& shapes)
{
    static const std::set<std::string> callsItself{"aten::upsample_nearest2d"};
    return callsItself.contains(name) ? name : name + ' ' + shapesOf(shapes);
}

/// SGLang numbers its operators by layer: "sglang_profiler::attention_12" is "sglang_profiler::attention".
std::string withoutLayer(const std::string& name)
{
    const std::size_t end = name.find_last_not_of("0123456789");
    const bool numbered = name.starts_with("sglang_profiler::") && name[end] == '_';
    return numbered ? name.substr(0, end) : name;
}

Ns nanoseconds(const QByteArray& microseconds)
{
    return std::llround(microseconds.toDouble() * 1000);
}

} // namespace

class PeerReferencesTest : public QObject {
    Q_OBJECT

private slots:
    void kernelsByName_data() { addReferences("kernel_summary.csv"); }
    void kernelsByName();
    void shortKernels_data() { addReferences("short_kernels_summary.csv"); }
    void shortKernels();
    void operatorsByArguments_data() { addReferences("ops_unique_args.csv"); }
    void operatorsByArguments();
    void collectives_data() { addReferences("coll_analysis.csv"); }
    void collectives();
};

/// Exact to the nanosecond.
void PeerReferencesTest::kernelsByName()
{
    QFETCH(const QString, reference);
    if (reference.isEmpty())
        QSKIP("../shared/traces is not here, or its rows follow");
    const auto trace = traceOf(reference);
    QVERIFY(trace);
    std::map<std::string, KernelSums> expected;
    for (const auto& row : rowsOf(reference + "/kernel_summary.csv")) {
        KernelSums& sums = expected[row.at("Kernel name").toStdString()];
        sums.count += row.at("Kernel duration (µs)_count").toULongLong();
        sums.sum += nanoseconds(row.at("Kernel duration (µs)_sum"));
        sums.shortest = std::min(sums.shortest, nanoseconds(row.at("Kernel duration (µs)_min")));
        sums.longest = std::max(sums.longest, nanoseconds(row.at("Kernel duration (µs)_max")));
    }
    std::map<std::string, KernelSums> found;
    const KernelTable& kernels = trace->kernels();
    for (EventIndex i = 0; i < kernels.size(); ++i) {
        KernelSums& sums = found[std::string(trace->text(kernels.name[i]))];
        ++sums.count;
        sums.sum += kernels.duration[i];
        sums.shortest = std::min<Ns>(sums.shortest, kernels.duration[i]);
        sums.longest = std::max<Ns>(sums.longest, kernels.duration[i]);
    }
    QVERIFY(!expected.empty());
    QCOMPARE(found.size(), expected.size());
    for (const auto& [name, sums] : expected)
        QVERIFY2(found[name] == sums, name.c_str());
}

/// Kernels of less than 10 us, by name and in a histogram.
void PeerReferencesTest::shortKernels()
{
    QFETCH(const QString, reference);
    if (reference.isEmpty())
        QSKIP("../shared/traces is not here, or its rows follow");
    const auto trace = traceOf(reference);
    QVERIFY(trace);
    std::map<std::string, qlonglong> found;
    std::vector<Ns> lengths;
    const KernelTable& kernels = trace->kernels();
    for (EventIndex i = 0; i < kernels.size(); ++i) {
        if (kernels.duration[i] < 10'000) {
            ++found[std::string(trace->text(kernels.name[i]))];
            lengths.push_back(kernels.duration[i]);
        }
    }
    std::map<std::string, qlonglong> expected;
    for (const auto& row : rowsOf(reference + "/short_kernels_summary.csv"))
        expected[row.at("Kernel name").toStdString()] += row.at("Short Kernel count").toLongLong();
    QCOMPARE(found, expected);

    const Rows bins = rowsOf(reference + "/short_kernel_histogram.csv");
    QCOMPARE(bins.size(), std::size_t{100});
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const double from = bins[i].at("bin_start").toDouble() * 1000;
        const double to = bins[i].at("bin_end").toDouble() * 1000;
        const auto count = std::ranges::count_if(lengths, [&](Ns length) {
            const auto value = static_cast<double>(length);
            return value >= from - 1e-6
                && (value < to - 1e-6 || (i + 1 == bins.size() && value <= to + 1e-6));
        });
        QCOMPARE(static_cast<qlonglong>(count), bins[i].at("count").toLongLong());
    }
}

/// GPU time that operators launch themselves, by shapes. Different definitions: the reference leaves out
/// memsets; it drops a layer's number from a name; and it has rows for calls outside of operators.
void PeerReferencesTest::operatorsByArguments()
{
    QFETCH(const QString, reference);
    if (reference.isEmpty())
        QSKIP("../shared/traces is not here, or its rows follow");
    const auto trace = traceOf(reference);
    QVERIFY(trace);
    static const std::set<std::string> withMemsets{"aten::convolution_backward", "aten::miopen_convolution"};
    Ns memsets = 0;
    const EventTable& sets = trace->table(EventKind::Memset);
    for (EventIndex i = 0; i < sets.size(); ++i)
        memsets += sets.duration[i];

    StatsQuery query;
    query.variant = "shapes";
    const Cells cells = findStatsTable("torch_ops")->fill(*trace, query);
    std::map<std::string, double> found;
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        if (std::get<std::string>(cells.at(row, 0)) != "GPU")
            found[operatorKey(withoutLayer(std::get<std::string>(cells.at(row, 8))),
                std::get<std::string>(cells.at(row, 9)))]
                += static_cast<double>(std::get<std::int64_t>(cells.at(row, 5)));
    }
    struct Sum {
        double calls = 0;
        double time = 0;
    };
    std::map<std::string, Sum> expected;
    for (const auto& row : rowsOf(reference + "/ops_unique_args.csv")) {
        Sum& sum = expected[operatorKey(row.at("name").toStdString(), row.at("Input Dims").toStdString())];
        sum.calls += row.at("operation_count").toDouble();
        sum.time += row.at("total_direct_kernel_time_sum").toDouble() * 1000;
    }
    QVERIFY(!expected.empty());
    for (const auto& [name, sum] : expected) {
        const bool isCall = name.starts_with("hip") || name.starts_with("cuda");
        if (isCall)
            continue;
        const double more = found[name] - sum.time;
        const double rounding = 1000 * sum.calls + 1000; // a quarter of a microsecond for each kernel
        const double most = rounding
            + (withMemsets.contains(name.substr(0, name.find(' '))) ? static_cast<double>(memsets) : 0);
        QVERIFY2(more >= -rounding && more <= most, (name + " " + std::to_string(more)).c_str());
    }
}

/// Time of the kernels of collectives by bytes.
void PeerReferencesTest::collectives()
{
    QFETCH(const QString, reference);
    if (reference.isEmpty())
        QSKIP("../shared/traces is not here, or its rows follow");
    const auto trace = traceOf(reference);
    QVERIFY(trace);
    const Cells cells = findStatsTable("nccl_sum")->fill(*trace, {});
    const auto columnOf = [&](std::string_view title) {
        const auto found = std::ranges::find(cells.columns, title, &Column::title);
        return static_cast<std::size_t>(found - cells.columns.begin());
    };
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> found; // by bytes: count, time
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        const Cell size = cells.at(row, columnOf("Size (B)"));
        if (const auto* const bytes = std::get_if<std::int64_t>(&size))
            found[*bytes] = {std::get<std::int64_t>(cells.at(row, columnOf("Count"))),
                std::get<std::int64_t>(cells.at(row, columnOf("Total Time (ns)")))};
    }
    const Rows rows = rowsOf(reference + "/coll_analysis.csv");
    QVERIFY(!rows.empty());
    for (const auto& row : rows) {
        const auto bytes = static_cast<std::int64_t>(
            std::llround(row.at("In msg size (MB)_first").toDouble() * 1024 * 1024));
        QCOMPARE(found[bytes].first, row.at("operation_count").toLongLong());
        QCOMPARE(found[bytes].second, static_cast<std::int64_t>(nanoseconds(row.at("dur_sum"))));
    }
}

WARPLINE_TEST(PeerReferencesTest)

} // namespace tst_peer_references

#include "tst_peer_references.moc"
