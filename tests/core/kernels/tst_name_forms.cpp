// The forms of a kernel's name for more and for less room.

#include "core/kernels/kernel_label.h"
#include "core/kernels/name_forms.h"
#include "core/kernels/short_name.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <array>

namespace tst_name_forms {

using namespace warpline;

class NameFormsTest : public QObject {
    Q_OBJECT

private slots:
    void equalLabelsAreDistinguished();
    void manyEqualLabelsAreDistinguishedQuickly();
    void formsGrowShorter_data();
    void formsGrowShorter();
    void nothingIsLost();
};

namespace {

std::vector<std::string> formsOf(const std::string& name)
{
    return kernelNameForms(name, kernelLabel(name, shortNameOf(name)));
}

} // namespace

void NameFormsTest::equalLabelsAreDistinguished()
{
    const std::vector<std::string_view> names{
        "void at::native::elementwise_kernel<(int)128, (int)4, void "
        "at::native::gpu_kernel_impl_nocast<at::native::CUDAFunctor_add<c10::BFloat16>>(int)>(int, T3)",
        "void at::native::elementwise_kernel<(int)128, (int)2, void "
        "at::native::gpu_kernel_impl_nocast<at::native::CUDAFunctor_add<float>>(int)>(int, T3)",
        "void at::native::vectorized_elementwise_kernel<(int)4, at::native::CUDAFunctor_add<float>>(int, T2)",
        "void at::native::vectorized_elementwise_kernel<(int)8, at::native::CUDAFunctor_add<float>>(int, T2)"};
    const std::vector<std::string> expected{"elementwise_kernel, BFloat16", "elementwise_kernel, float",
        "vectorized_elementwise_kernel, 4", "vectorized_elementwise_kernel, 8"};
    QCOMPARE(distinctParts(names), expected);
    // One that has nothing of its own stays as it is.
    QCOMPARE(distinctParts(std::vector<std::string_view>{"f<int>(int)", "f<int, 4>(int)"}),
        (std::vector<std::string>{"", "4"}));
}

void NameFormsTest::manyEqualLabelsAreDistinguishedQuickly()
{
    constexpr int count = 10'000;
    std::array<std::string, 2> shared{"row", "column"};
    for (std::string& words : shared) {
        const std::string first = words;
        for (char letter = 'a'; letter <= 'z'; ++letter)
            words += ", " + first + letter;
    }
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i)
        texts.push_back("void gemm<" + shared[i % 2] + ", " + std::to_string(i) + ">(float*)");
    const std::vector<std::string_view> names(texts.begin(), texts.end());
    QElapsedTimer timer;
    timer.start();
    const std::vector<std::string> parts = distinctParts(names);
    QVERIFY2(timer.elapsed() < 5'000, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(parts.size(), std::size_t{count});
    QCOMPARE(parts[4], std::string("row, 4"));
    QCOMPARE(parts[9'999], std::string("column, 9999"));
}

void NameFormsTest::formsGrowShorter_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("forms");
    QTest::newRow("plain") << "saxpy"
                           << "saxpy";
    QTest::newRow("parameters") << "saxpy(int, float, float *)"
                                << "saxpy";
    QTest::newRow("template") << "void lib::softmax_warp_forward<float, 10>(float *, int)"
                              << "lib::softmax_warp_forward<float, 10>|lib::softmax_warp_forward|"
                                 "softmax_warp_forward";
    QTest::newRow("kernel") << "void at::native::fill_kernel<4>(int)"
                            << "at::native::fill_kernel<4>|at::native::fill_kernel|fill_kernel|fill";
    QTest::newRow("functor")
        << "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
           "at::detail::Array<char *, 3>>(int, float)"
        << "at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
           "at::detail::Array<char *, 3>>|at::native::vectorized_elementwise_kernel<CUDAFunctor_add>|"
           "vectorized_elementwise_kernel<CUDAFunctor_add>|CUDAFunctor_add";
    QTest::newRow("anonymous") << "void (anonymous namespace)::scan<int>(int *)"
                               << "(anonymous namespace)::scan<int>|scan";
    QTest::newRow("unnamed") << "void at::native::<unnamed>::GammaBackward<float, 4>(float *)"
                             << "at::native::<unnamed>::GammaBackward<float, 4>|at::native::GammaBackward|"
                                "GammaBackward";
}

void NameFormsTest::formsGrowShorter()
{
    QFETCH(QString, name);
    QFETCH(QString, forms);
    QStringList found;
    for (const std::string& form : formsOf(name.toStdString()))
        found << QString::fromStdString(form);
    QCOMPARE(found.join('|'), forms);
}

void NameFormsTest::nothingIsLost()
{
    // Whatever the name, there is a form, and none is longer than the one before.
    for (const std::string& name : {std::string(), std::string("<<<"), std::string(">>(("),
             std::string("a b c"), std::string(5000, 'x').append("<int>"), std::string("operator<(int)")}) {
        const auto forms = formsOf(name);
        QVERIFY(!forms.empty());
        for (std::size_t i = 1; i < forms.size(); ++i)
            QVERIFY(forms[i].size() < forms[i - 1].size());
    }
}

WARPLINE_TEST(NameFormsTest)

} // namespace tst_name_forms

#include "tst_name_forms.moc"
