// Languages and frameworks of programs, and remedies in their terms.

#include "core/findings/advice.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/core/stats/drawn_trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QFileInfo>
#include <QTest>

#include <array>
#include <string_view>
#include <utility>

namespace tst_program_kind {

using namespace warpline;
using namespace warpline::test;

namespace {

QString textOf(const ProgramKind& kind)
{
    QStringList parts;
    const auto add = [&](bool is, const char* name) {
        if (is)
            parts << name;
    };
    add(kind.python, "python");
    add(kind.torch, "torch");
    add(kind.arrays, "arrays");
    add(kind.openAcc, "openacc");
    add(kind.openMp, "openmp");
    add(kind.kokkos, "kokkos");
    add(kind.raja, "raja");
    add(kind.stdPar, "stdpar");
    add(kind.julia, "julia");
    add(kind.fortran, "fortran");
    add(kind.isPlainCuda(), "cuda");
    return parts.join(' ');
}

/// Whether a process that calls CUDA is a Python interpreter, or a kernel belongs to a Python framework.
/// Other processes on the machine do not count.
bool usesPython(const std::string& path)
{
    if (sqlHasTable(path, "PROCESSES") && sqlHasTable(path, "CUPTI_ACTIVITY_KIND_RUNTIME")
        && sqlInteger(path,
               "SELECT count(*) FROM PROCESSES WHERE (name LIKE '%python%' OR name LIKE '%pytest%') AND "
               "globalPid >> 24 IN (SELECT globalTid >> 24 FROM CUPTI_ACTIVITY_KIND_RUNTIME)")
            > 0)
        return true;
    return sqlHasTable(path, "CUPTI_ACTIVITY_KIND_KERNEL")
        && sqlInteger(path,
               "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = demangledName WHERE "
               "value LIKE '%at::native%' OR value LIKE 'cupy!_%' ESCAPE '!' OR value LIKE '%[abi:v%' OR "
               "value "
               "LIKE '%cudf::%'")
        > 0;
}

/// Every text of the findings and of those merged into them.
std::vector<std::string> textsOf(const std::vector<Finding>& findings)
{
    std::vector<std::string> texts;
    for (const Finding& finding : findings) {
        texts.push_back(plain(finding.title) + " " + plain(finding.message) + " " + plain(finding.why) + " "
            + plain(finding.remedy));
        for (std::string& inner : textsOf(finding.merged))
            texts.push_back(std::move(inner));
    }
    return texts;
}

} // namespace

class ProgramKindTest : public QObject {
    Q_OBJECT

private slots:
    /// Advice for four frameworks at once is useless: it is for the detected one.
    void adviceIsOfTheProgram()
    {
        ProgramKind kind{.python = true, .torch = true};
        const auto has = [&](std::string_view topic, std::string_view part) {
            return plain(adviceFor(topic, kind)).find(part) != std::string::npos;
        };
        QVERIFY(!has("launch_bound", "key-value") && !has("launch_bound", "FSDP"));
        QVERIFY(has("launch_bound", "fused=True"));
        kind.generates = true;
        QVERIFY(has("launch_bound", "key-value cache") && !has("launch_bound", "fused=True"));
        kind = {.python = true, .torch = true, .reduces = true};
        QVERIFY(has("nccl_exposed", "DistributedDataParallel") && !has("nccl_exposed", "FSDP"));
        kind = {.python = true, .torch = true, .shards = true};
        QVERIFY(has("nccl_exposed", "FSDP") && !has("nccl_exposed", "DistributedDataParallel"));
        QVERIFY(has("launch_bound", "larger units"));
    }

    /// Python calls list.extend, and SGLang names its prefill so.
    void onlyOwnRangesNameTokens()
    {
        for (const char* const domain : {"", "Python", "PyTorch"}) {
            DrawnProgram program;
            program.kernel("work", 0, {10 * us, 20 * us});
            program.range("<built-in method extend of list object at 0x7f26247bfe80>", {0, 30 * us}, domain);
            QCOMPARE(programKindOf(*program.finish()).generates, *domain == 0);
        }
    }

    void whatIsSpreadIsSeen_data()
    {
        QTest::addColumn<QString>("report");
        QTest::addColumn<bool>("reduces");
        QTest::addColumn<bool>("shards");
        QTest::addColumn<bool>("generates");
        QTest::newRow("fsdp") << "h200-more/fsdp_rank0" << false << true << false;
        QTest::newRow("ddp") << "ddp_straggler_rank0" << true << false << false;
        QTest::newRow("decode") << "decode" << false << false << true;
    }

    void whatIsSpreadIsSeen()
    {
        QFETCH(QString, report);
        const std::string path = sharedReport(report.toStdString());
        if (path.empty())
            QSKIP("../shared/reports is not here");
        const auto trace = loadReport(path);
        QVERIFY(trace.ok());
        const ProgramKind kind = programKindOf(*trace.value());
        QTEST(kind.reduces, "reduces");
        QTEST(kind.shards, "shards");
        QTEST(kind.generates, "generates");
    }

    void kernelsTell_data()
    {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("kind");
        const auto add = [](const char* kernel, const char* kind) {
            QTest::newRow(kernel) << QString(kernel) << QString(kind);
        };
        add("vecAdd(float *, float *)", "cuda");
        add("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<long>>(int)",
            "python torch");
        add("cupy_copy__float64_float64", "python arrays");
        add("divide_by[abi:v3,cw51cXTLSUwv1sDUaKthqaNgoKmjgOR3W3Cw6igA9du](Array<float, 1>)",
            "python arrays");
        add("__omp_offloading_10305_361e0e_main_l4", "openmp");
        add("nvkernel_matmult_mnk_offload_F1L115_7", "openmp");
        add("_21______src_cuda_fill_c___pgi_uacc_cuda_fill_44_gpu", "openacc");
        add("add_thousand_56_gpu", "openacc");
        add("void Kokkos::Impl::cuda_parallel_launch_local_memory<F>(F)", "kokkos");
        add("julia_axpy_1234(CuDeviceArray<float, 1>)", "julia");
        add("void RAJA::policy::cuda::impl::forall_cuda_kernel<E>(E)", "raja");
        add("mathops_saxpy_", "fortran");
        add("__internal_trig_reduction_slowpath_", "cuda");
    }
    void kernelsTell()
    {
        QFETCH(QString, kernel);
        QFETCH(QString, kind);
        DrawnTrace drawn;
        drawn.kernel(kernel.toStdString(), 0, 1000, 0);
        QCOMPARE(textOf(programKindOf(*drawn.finish())), kind);
    }

    void loadersAreSeen()
    {
        DrawnTrace with;
        with.range("data_load", 0, 1000);
        QVERIFY(programKindOf(*with.finish()).loader);
        DrawnTrace without;
        without.range("InputThread", 0, 1000);
        without.range("Thread batch", 0, 1000);
        QVERIFY(!programKindOf(*without.finish()).loader);
    }

    void otherLanguagesHaveTheirWords()
    {
        struct Language {
            bool ProgramKind::*flag;
            std::string_view name;
            std::string_view pinning;
            std::string_view fusing;
        };
        constexpr std::array languages{
            Language{&ProgramKind::kokkos, "Kokkos", "CudaHostPinnedSpace", "parallel_for"},
            Language{&ProgramKind::raja, "RAJA", "Umpire", "forall"},
            Language{&ProgramKind::stdPar, "ISO C++", "-gpu=unified", "for_each"},
            Language{&ProgramKind::julia, "Julia", "CUDA.pin", "@cuda"},
            Language{&ProgramKind::fortran, "CUDA Fortran", "pinned, allocatable", "!$cuf kernel do"}};
        for (const Language& language : languages) {
            ProgramKind kind;
            kind.*language.flag = true;
            QVERIFY(!kind.isPlainCuda());
            for (const auto& [topic, word] : {std::pair{"pageable_copies", language.pinning},
                     std::pair{"kernel_storm", language.fusing}}) {
                const std::string advice = plain(adviceFor(topic, kind));
                QVERIFY2(advice.starts_with(language.name), advice.c_str());
                QVERIFY2(advice.find(word) != std::string::npos, advice.c_str());
                QVERIFY2(advice.find("cudaStreamBeginCapture") == std::string::npos, advice.c_str());
            }
            for (const char* const topic : {"unified_memory_faults", "sync_per_iteration.device", "tiny_grid",
                     "allocation_in_loop", "repeated_uploads", "copies_not_overlapped"})
                QVERIFY2(!adviceFor(topic, kind).empty(), topic);
        }
    }

    void adviceIsInTheProgramsTerms()
    {
        ProgramKind torch;
        torch.python = true;
        torch.torch = true;
        QVERIFY(plain(adviceFor("pageable_copies", torch)).find("pin_memory") != std::string::npos);
        const std::string own = plain(adviceFor("pageable_copies", ProgramKind()));
        QVERIFY(own.find("PyTorch") == std::string::npos);
        QVERIFY(own.find("cudaMallocHost(&host, bytes);") != std::string::npos);
        QCOMPARE(std::ranges::count(own, '\n'), 4); // three lines to paste, with their surroundings
        ProgramKind directives;
        directives.openAcc = true;
        QVERIFY(plain(adviceFor("copy_round_trips", directives)).find("data region") != std::string::npos);
        QVERIFY(adviceFor("tiny_grid", torch).empty());
        QVERIFY(adviceFor("no such rule", torch).empty());
        // From C++ PyTorch has no DataLoader of Python's.
        torch.python = false;
        QVERIFY(adviceFor("pageable_copies", torch).empty());
    }

    void reportsTell_data()
    {
        QTest::addColumn<QString>("kind");
        const auto add = [](const char* report, const char* kind) { QTest::newRow(report) << QString(kind); };
        add("/bert_fp32.sqlite", "python torch");
        add("/reduce_v1.sqlite", "python arrays");
        add("/streams.sqlite", "cuda");
        add("/halo8/rank0.sqlite", "cuda");
        add("cloverleaf", "cuda");
        add("RajaATAli__SC23", "openmp");
        add("danae-pan__hpc_assignment3", "openmp");
        add("PolPuigPuy__OpenACC", "openacc");
        add("tomarriott__GTLS", "python arrays");
        add("trixi-gpu__TrixiCUDA.jl", "julia");
        add("martisu1631998__kmeans", "openacc");
        add("Ther-LF__QuantPSelInvPlus__examples_report7", "cuda");
    }
    void reportsTell()
    {
        QFETCH(QString, kind);
        for (const std::string& path : sharedReports()) {
            if (path.find(QTest::currentDataTag()) == std::string::npos)
                continue;
            auto trace = loadReport(path);
            QVERIFY(trace.ok());
            QCOMPARE(textOf(programKindOf(*trace.take())), kind);
            return;
        }
        QSKIP("needs ../shared/reports, which is not there");
    }

    void speaksTheProgramsLanguage_data()
    {
        QTest::addColumn<QString>("path");
        for (const std::string& path : sharedReports())
            QTest::newRow(QFileInfo(QString::fromStdString(path)).fileName().toUtf8().constData())
                << QString::fromStdString(path);
    }

    void speaksTheProgramsLanguage()
    {
        if (sharedReports().empty())
            QSKIP("needs ../shared/reports, which is not there");
        QFETCH(QString, path);
        if (usesPython(path.toStdString()))
            return;
        auto loaded = loadReport(path.toStdString());
        if (!loaded.ok())
            QSKIP("the report cannot be read");
        const auto trace = loaded.take();
        const TimeRange whole{trace->session.start, trace->session.end + 1};
        for (const std::string& text : textsOf(runRules(*trace, whole))) {
            for (const char* const foreign : {"torch", "Torch", ".item()", "DataLoader", "optimizer", "AdamW",
                     "gc.", "Python", "Numba", "CuPy", "epoch", "backward", "batch", "non_blocking",
                     "autocast", "input data", "[cuda.stream"})
                QVERIFY2(
                    text.find(foreign) == std::string::npos, (std::string(foreign) + ": " + text).c_str());
        }
    }
};

WARPLINE_TEST(ProgramKindTest)

} // namespace tst_program_kind

#include "tst_program_kind.moc"
