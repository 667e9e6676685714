// Meaning of colours: names, classes, places and durations; that they differ for every kind of vision, that
// charts and the timeline agree, and that the bar below the rows explains them.

#include "core/budget/gpu_budget.h"
#include "core/kernels/kernel_classes.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "tests/views/view_test.h"
#include "views/panels/budget_bars.h"
#include "views/session/name_books.h"
#include "views/style/color_choice.h"
#include "views/style/event_colors.h"
#include "views/style/idle_look.h"
#include "views/style/name_colors.h"
#include "views/style/oklab.h"
#include "views/style/part_colors.h"
#include "views/style/visible_edges.h"
#include "views/timeline/color_legend.h"
#include "views/timeline/row_filter.h"
#include "views/timeline/timeline_pane.h"

#include <QApplication>
#include <QComboBox>
#include <QFocusFrame>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStyleOption>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include <cmath>

namespace tst_colors {

using namespace warpline;
using namespace warpline::test;

class ColorsTest : public ViewTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void oklabIsWhatItsAuthorSays();
    void kernelsOfOneStreamDiffer();
    void digitsDoNotChangeTheHue();
    void whatWasOpenedFirstIsColoredFirst();
    void everyNameCanBeReadOn();
    void allStandsOutFromItsGround();
    void safeColorsDifferForAllEyes();
    void rowsShowTheChosenColors();
    void ownNvtxColorsCanBeOff();
    void durationsGrowDarkerOrBrighter();
    void noDurationVanishes();
    void classesAreNeverAlike();
    void streamsHaveTheirColors();
    void chartPartsAreNeverAlike();
    void budgetHasTheColorsOfClasses();
    void legendSaysWhatTheColorsMean();
    void legendSpeaksOfWhatIsInView();
    void legendTellsLikeNamesApart();
    void legendMarksAName();
    void namesOnShadesOfAKindHaveOneColor();
    void legendNamesAFamilyOnce();
    void legendTellsCausesOfOneRangeApart();
    void cellsHaveAMarginThatTheRingLacks();
    void narrowBoxesElideTheirText();
    void cellsAndTitlesHaveOneMargin();
    void chosenPartsHaveTheHighlight();
    void sliderStandsOutFromItsGroove();
    void legendCanBeHidden();
};

void ColorsTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_colors");
    DrawnProgram program;
    const char* const names[]{"ampere_sgemm_128x64_tn", "ampere_sgemm_256x128_tn", "flash_fwd_kernel",
        "layer_norm_kernel", "softmax_warp_forward", "vectorized_elementwise_kernel", "reduce_kernel",
        "multi_tensor_apply_kernel", "embedding_kernel", "gelu_kernel", "dropout_kernel",
        "cross_entropy_kernel"};
    Ns at = 10 * us;
    for (const char* const name : names) {
        program.kernel(name, at - 5 * us, {at, at + 20 * us});
        at += 30 * us;
    }
    program.kernel(
        "ncclDevKernel_AllReduce_Sum_f32_RING_LL", at - 5 * us, {at, at + 50 * us}, {.stream = 13});
    program.copy({at, at + 5 * us}, {at + 60 * us, at + 80 * us});
    program.range("forward", {0, 100 * us});
    program.range("backward", {100 * us, 200 * us});
    m_trace = program.finish();
    m_rows = buildRows(*m_trace);
}

void ColorsTest::init()
{
    QSettings().clear();
    ColorChoice::shared().reload();
    showPane({1400, 600});
    QTRY_VERIFY(!m_session->names().isBusy());
    QTRY_VERIFY(m_pane->legend().isReady());
}

void ColorsTest::oklabIsWhatItsAuthorSays()
{
    const Oklab white = oklabOf(QColor(Qt::white));
    QVERIFY(std::abs(white.lightness - 1) < 1e-3 && std::abs(white.a) < 1e-3 && std::abs(white.b) < 1e-3);
    const Oklab red = oklabOf(QColor(Qt::red)); // 0.628, 0.225, 0.126
    QVERIFY(std::abs(red.lightness - 0.628) < 2e-3 && std::abs(red.a - 0.225) < 2e-3
        && std::abs(red.b - 0.126) < 2e-3);
    for (int hue = 0; hue < 360; hue += 30) {
        const Oklab back = oklabOf(fromOklch(0.65, 0.1, hue));
        QVERIFY(std::abs(back.lightness - 0.65) < 0.01);
    }
    // Red and green of one lightness are far apart for most, and near for who sees no green.
    const QColor a = fromOklch(0.6, 0.1, 30);
    const QColor b = fromOklch(0.6, 0.1, 140);
    QVERIFY(leastDistanceOf(a, b) < distanceOf(a, b) / 2);
}

void ColorsTest::kernelsOfOneStreamDiffer()
{
    for (const Theme* const theme :
        {&Theme::light(), &Theme::dark(), &Theme::of(false, true), &Theme::of(true, true)}) {
        EventColors colors(m_trace, *theme, ColorBy::Name);
        for (EventIndex i = 0; i < m_trace->kernels().size(); ++i) {
            for (EventIndex j = 0; j < i; ++j) {
                const QColor a = QColor::fromRgb(colors({EventKind::Kernel, i}));
                const QColor b = QColor::fromRgb(colors({EventKind::Kernel, j}));
                const double apart = theme->isColorBlindSafe() ? leastDistanceOf(a, b) : distanceOf(a, b);
                QVERIFY2(apart > (theme->isColorBlindSafe() ? 0.024 : 0.05),
                    qPrintable(a.name() + ' ' + b.name()));
            }
            // ... and from copies, which are in the same rows.
            const QColor copy = QColor::fromRgb(colors({EventKind::Memcpy, 0}));
            QVERIFY(distanceOf(copy, QColor::fromRgb(colors({EventKind::Kernel, i}))) > 0.05);
        }
    }
}

void ColorsTest::digitsDoNotChangeTheHue()
{
    const NameColors& colors = NameColors::shared();
    QCOMPARE(colors.of(ColorGroup::Host, "train step 17", Theme::light()),
        colors.of(ColorGroup::Host, "train step 4", Theme::light()));
    QVERIFY(colors.of(ColorGroup::Host, "train step 4", Theme::light())
        != colors.of(ColorGroup::Host, "load step 4", Theme::light()));
}

void ColorsTest::everyNameCanBeReadOn()
{
    const auto luminance = [](QColor color) {
        const auto linear
            = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
            + 0.0722 * linear(color.blueF());
    };
    for (const Theme* const theme : {&Theme::light(), &Theme::dark(), &Theme::of(false, true)}) {
        for (int i = 0; i < 500; ++i) {
            const QColor back = NameColors::shared().of(ColorGroup::Kernel,
                "kernel_" + std::string(1, char('a' + i % 26)) + std::to_string(i), *theme);
            const double one = luminance(back);
            const double other = luminance(Theme::textOn(back));
            QVERIFY((std::max(one, other) + 0.05) / (std::min(one, other) + 0.05) >= 4.5);
            // ... and is seen on the ground of the rows.
            QVERIFY(distanceOf(back, theme->background) > 0.15);
        }
    }
}

void ColorsTest::safeColorsDifferForAllEyes()
{
    constexpr EventTint onGpu[]{EventTint::Kernel, EventTint::Collective, EventTint::CopyHtoD,
        EventTint::CopyDtoH, EventTint::CopyDtoD, EventTint::CopyPtoP, EventTint::CopyOther,
        EventTint::Memset, EventTint::Synchronization, EventTint::Graph};
    constexpr EventTint calls[]{EventTint::ApiLaunch, EventTint::ApiCopy, EventTint::ApiSync,
        EventTint::ApiMemory, EventTint::ApiOther};
    for (const bool dark : {false, true}) {
        const Theme& theme = Theme::of(dark, true);
        const auto check = [&](std::span<const EventTint> tints) {
            for (std::size_t i = 0; i < tints.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY2(leastDistanceOf(theme.color(tints[i]), theme.color(tints[j])) > 0.07,
                        qPrintable(QString("%1 %2").arg(i).arg(j)));
            }
        };
        check(onGpu);
        check(calls);
        for (std::size_t i = 0; i < 12; ++i) {
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(leastDistanceOf(theme.chartColor(i), theme.chartColor(j)) > 0.07);
        }
    }
}

void ColorsTest::rowsShowTheChosenColors()
{
    // Tests that rows use the colours at once, not which colours.
    const EventRef kernel{EventKind::Kernel, 2};
    const TimeRange range = m_trace->range(kernel);
    for (const ColorBy by : allColorings) {
        ColorChoice::shared().setBy(by);
        EventColors colors(m_trace, Theme::light(), by);
        const PlacedRow* const row = m_pane->view().visibleRowOf({ReportId{}, kernel});
        QVERIFY(row);
        const QImage image = m_pane->view().viewport()->grab().toImage();
        const int x = static_cast<int>(m_pane->view().axis().xAt(range.start + range.duration() / 10)) + 1;
        QCOMPARE(image.pixelColor(x, row->y + 5).rgb(), colors(kernel));
    }
}

void ColorsTest::ownNvtxColorsCanBeOff()
{
    auto trace = std::make_shared<Trace>(*m_trace);
    auto nvtx = std::make_shared<NvtxTable>(m_trace->nvtx());
    nvtx->attributes[nvtx->attribute[0]].hasColor = true;
    nvtx->attributes[nvtx->attribute[0]].color = 0xffd02090;
    trace->tables[indexOf(EventKind::Nvtx)] = nvtx;
    EventColors own(trace, Theme::light(), ColorBy::Name, true);
    EventColors named(trace, Theme::light(), ColorBy::Name, false);
    const EventRef range{EventKind::Nvtx, 0};
    QVERIFY(QColor::fromRgb(own(range)).red() > QColor::fromRgb(own(range)).green() + 60);
    QCOMPARE(QColor::fromRgb(named(range)),
        NameColors::shared().of(ColorGroup::Host, trace->name(range), Theme::light()));
}

void ColorsTest::durationsGrowDarkerOrBrighter()
{
    double before = 2;
    for (Ns duration = 1'000; duration <= 1'000'000'000; duration *= 10) {
        const double light = oklabOf(Theme::light().durationColor(duration)).lightness;
        QVERIFY(light < before);
        before = light;
        QVERIFY(std::abs(oklabOf(Theme::dark().durationColor(duration)).lightness
                    - Theme::dark().background.lightnessF())
            > 0.05);
    }
    QVERIFY(oklabOf(Theme::dark().durationColor(1'000'000'000)).lightness
        > oklabOf(Theme::dark().durationColor(1'000)).lightness);
}

namespace {

double luminance(QColor color)
{
    const auto linear
        = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double measuredContrast(QColor a, QColor b)
{
    const double one = luminance(a);
    const double other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

} // namespace

/// WCAG 2.1 AA: 4.5 for text, 3 for bars and focus indicators; 7 and 4.5 with high contrast. For all
/// palettes, on all backgrounds.
void ColorsTest::allStandsOutFromItsGround()
{
    for (unsigned which = 0; which < 8; ++which) {
        const Theme& theme = Theme::of((which & 1U) != 0, (which & 2U) != 0, (which & 4U) != 0);
        const double text = theme.isHighContrast() ? 7 : 4.5;
        const double bar = theme.isHighContrast() ? 4.5 : 3;
        std::vector<QColor> bars;
        for (std::size_t i = 0; i <= static_cast<std::size_t>(EventTint::Memory); ++i) {
            bars.push_back(theme.color(static_cast<EventTint>(i)));
            for (std::uint32_t hash = 0; hash < 4; ++hash)
                bars.push_back(theme.shade(static_cast<EventTint>(i), hash));
        }
        for (std::size_t i = 0; i < 60; ++i) {
            bars.push_back(theme.spreadColor(i));
            bars.push_back(theme.chartColor(i));
        }
        for (std::size_t i = 0; i <= kernelClassRules().classes().size(); ++i)
            bars.push_back(theme.classColor(i));
        for (Ns duration = 1; duration <= 10'000'000'000; duration *= 10)
            bars.push_back(theme.durationColor(duration));
        for (int i = 0; i < 300; ++i) {
            for (const ColorGroup group : {ColorGroup::Kernel, ColorGroup::Host})
                bars.push_back(NameColors::shared().of(
                    group, QString("name%1x").arg(i * 7919).toStdString() + char('a' + i % 26), theme));
        }
        for (std::size_t i = 0; i < idleCauses; ++i) {
            if (const IdleCause cause{static_cast<std::uint8_t>(i)};
                cause != IdleCause::NoWork && cause != IdleCause::Unknown) // these step back
                bars.push_back(idleLook(cause, theme).color);
        }
        for (const QColor ground : {theme.panel, theme.background, theme.alternate}) {
            for (const QColor ink : {theme.text, theme.dimText, theme.good, theme.bad, theme.highlight,
                     theme.palette().color(QPalette::Link), theme.palette().color(QPalette::BrightText)})
                QVERIFY2(
                    measuredContrast(ink, ground) >= text, qPrintable(ink.name() + " on " + ground.name()));
            for (const QColor& ink : bars)
                QVERIFY2(measuredContrast(ink, ground) >= bar,
                    qPrintable(QString("%1 on %2 of %3").arg(ink.name(), ground.name()).arg(which)));
            for (const QColor& focus : {theme.accent, theme.selectionEdge})
                QVERIFY2(measuredContrast(focus, ground) >= 3, qPrintable(focus.name()));
        }
        for (const QColor& ink : bars)
            QVERIFY(measuredContrast(Theme::textOn(ink), ink) >= 4.5);
        // Good and bad differ for readers who see no red or no green, too.
        if (theme.isColorBlindSafe())
            QVERIFY(leastDistanceOf(seenColorOf(theme.good), seenColorOf(theme.bad)) >= 0.13);
        const QPalette palette = theme.palette();
        QVERIFY(measuredContrast(palette.color(QPalette::Highlight), palette.color(QPalette::HighlightedText))
            >= 4.5);
        QVERIFY(
            measuredContrast(palette.color(QPalette::ButtonText), palette.color(QPalette::Button)) >= text);
        QVERIFY(measuredContrast(palette.color(QPalette::ToolTipText), palette.color(QPalette::ToolTipBase))
            >= text);
    }
}

void ColorsTest::noDurationVanishes()
{
    for (const bool dark : {false, true}) {
        for (const bool safe : {false, true}) {
            const Theme& theme = Theme::of(dark, safe);
            const double back = luminance(theme.background);
            for (Ns duration = 1; duration <= 10'000'000'000; duration *= 10) {
                const double ink = luminance(theme.durationColor(duration));
                const double contrast = (std::max(ink, back) + 0.05) / (std::min(ink, back) + 0.05);
                QVERIFY2(contrast > (dark ? 2.0 : 1.5),
                    qPrintable(theme.durationColor(duration).name() + ' ' + QString::number(contrast)));
            }
        }
    }
}

void ColorsTest::classesAreNeverAlike()
{
    const std::size_t classes = kernelClassRules().classes().size();
    for (const Theme* const theme : {&Theme::light(), &Theme::dark()}) {
        QVERIFY(distanceOf(theme->accent, theme->highlight) > 0.1); // selected, and marked
        for (std::size_t i = 0; i < classes; ++i) {
            QVERIFY(distanceOf(theme->classColor(i), theme->background) > 0.15);
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(distanceOf(theme->classColor(i), theme->classColor(j)) > 0.07,
                    qPrintable(QString::fromStdString(kernelClassRules().classes()[i].title + ", "
                        + kernelClassRules().classes()[j].title)));
        }
    }
}

void ColorsTest::streamsHaveTheirColors()
{
    EventColors colors(m_trace, Theme::light(), ColorBy::Stream);
    const auto onStream = [&](std::int32_t stream) {
        for (EventIndex i = 0; i < m_trace->kernels().size(); ++i) {
            if (m_trace->kernels().trackOf(i).stream == stream)
                return colors({EventKind::Kernel, i});
        }
        return QRgb{};
    };
    QVERIFY(onStream(7) != onStream(13));
    QCOMPARE(colors({EventKind::Memcpy, 0}), onStream(7)); // one stream, whatever runs there
}

void ColorsTest::chartPartsAreNeverAlike()
{
    for (const Theme* const theme :
        {&Theme::light(), &Theme::dark(), &Theme::of(false, true), &Theme::of(true, true)}) {
        // Similar preferred colours, and some without.
        std::vector<QColor> wished{theme->chartColor(0), theme->chartColor(0), QColor(), theme->chartColor(1),
            theme->chartColor(2), QColor(), theme->rest, theme->chartColor(3)};
        const std::vector<QColor> colors = partColors(wished, *theme);
        QCOMPARE(colors.size(), wished.size());
        QCOMPARE(colors[0], wished[0]); // who comes first keeps it
        QCOMPARE(colors[3], wished[3]);
        for (std::size_t i = 0; i < colors.size(); ++i) {
            QVERIFY(distanceOf(colors[i], theme->rest) > 0.04);
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(distanceOf(colors[i], colors[j]) > 0.04, qPrintable(colors[i].name()));
        }
    }
}

void ColorsTest::budgetHasTheColorsOfClasses()
{
    const KernelClassRules& rules = kernelClassRules();
    const BudgetParts parts(rules);
    Budget mean(parts.size(), 0);
    const std::size_t gemm = rules.indexOf("gemm");
    const std::size_t softmax = rules.indexOf("softmax");
    mean[parts.compute(gemm)] = 500;
    mean[parts.compute(softmax)] = 200;
    mean[parts.transfer()] = 100;
    mean[parts.wait()] = 90;
    mean[parts.copyToGpu()] = 100;
    for (const IdleCause cause : {IdleCause::Profiler, IdleCause::Allocation, IdleCause::HostWait,
             IdleCause::Launch, IdleCause::OsCall, IdleCause::OwnCode, IdleCause::Queued})
        mean[parts.idle(cause)] = 60;
    for (const bool dark : {false, true}) { // ten and more parts, and none like another
        const auto all = slicesOf(parts, mean, Theme::of(dark, false));
        QVERIFY(all.size() >= 12);
        for (const BudgetSlice& slice : all) { // idle time is muted
            const Oklab color = oklabOf(slice.color);
            QVERIFY2(slice.group != BudgetGroup::Idle || std::hypot(color.a, color.b) < 0.06,
                qPrintable(slice.title));
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(distanceOf(all[i].color, all[j].color) > 0.04,
                    qPrintable(all[i].title + ' ' + all[i].color.name() + ", " + all[j].title + ' '
                        + all[j].color.name()));
        }
    }
    const Theme& theme = Theme::light();
    const std::vector<BudgetSlice> slices = slicesOf(parts, mean, theme);
    const auto colorOf = [&](std::size_t part) {
        const auto found = std::ranges::find_if(
            slices, [&](const BudgetSlice& slice) { return slice.parts == std::vector<std::size_t>{part}; });
        return found == slices.end() ? QColor() : found->color;
    };
    QCOMPARE(colorOf(parts.compute(gemm)), theme.classColor(gemm));
    QCOMPARE(colorOf(parts.copyToGpu()), theme.color(EventTint::CopyHtoD));
    QCOMPARE(colorOf(parts.transfer()), theme.color(EventTint::Collective));
    EventColors colors(m_trace, theme, ColorBy::KernelClass);
    QCOMPARE(QColor::fromRgb(colors({EventKind::Kernel, 0})), theme.classColor(gemm));
    for (std::size_t i = 0; i < slices.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            QVERIFY(slices[i].color != slices[j].color);
    }
}

void ColorsTest::legendSaysWhatTheColorsMean()
{
    const ColorLegend& legend = m_pane->legend();
    QVERIFY(!legend.entries().empty());
    EventColors colors(m_trace, Theme::light(), ColorBy::Name);
    const auto find = [&](const QString& text) {
        const auto found = std::ranges::find(legend.entries(), text, &LegendEntry::text);
        return found == legend.entries().end() ? QColor() : found->color;
    };
    QCOMPARE(find("flash_fwd_kernel"), QColor::fromRgb(colors({EventKind::Kernel, 2})));
    QCOMPARE(find("Communication"), Theme::light().color(EventTint::Collective));
    QCOMPARE(find("Host to device"), Theme::light().color(EventTint::CopyHtoD));
    QVERIFY(!find("Device to host").isValid()); // not in the report
    auto* const button = m_pane->legend().findChild<QToolButton*>();
    emit button->menu()->aboutToShow();
    for (QAction* const action : button->menu()->actions()) {
        if (action->text() == "Kernel &class")
            action->trigger();
    }
    QCOMPARE(ColorChoice::shared().by(), ColorBy::KernelClass);
    QCOMPARE(QSettings().value("colors/by").toString(), QString("class"));
    QCOMPARE(button->text(), QString("Color by kernel class"));
    QCOMPARE(find("Matrix products"), Theme::light().classColor(kernelClassRules().indexOf("gemm")));
    QVERIFY(!find("flash_fwd_kernel").isValid());
    m_pane->setTheme(Theme::of(true, true));
    QCOMPARE(find("Host to device"), Theme::of(true, true).color(EventTint::CopyHtoD));
    ColorChoice::shared().setBy(ColorBy::Duration);
    for (const char* const text :
        {"1 \u00b5s", "10 \u00b5s", "100 \u00b5s", "1 ms", "10 ms", "100 ms", "1 s"})
        QVERIFY2(find(QString::fromUtf8(text)).isValid(), text);
}

void ColorsTest::legendSpeaksOfWhatIsInView()
{
    const ColorLegend& legend = m_pane->legend();
    const auto texts = [&] {
        QStringList all;
        for (const LegendEntry& entry : legend.entries()) {
            if (entry.pattern == Qt::SolidPattern) // idle time comes first
                all << entry.text;
        }
        return all;
    };
    // NVTX names have colours, so they are listed, early enough to be visible, after the kernels.
    QVERIFY2(
        texts().indexOf("forward") >= 0 && texts().indexOf("forward") < 6, qPrintable(texts().join(", ")));
    QVERIFY(texts().contains("Communication"));
    // In a narrow window names are short, so that more than a few of them are seen.
    m_pane->resize(980, 600);
    QTest::qWait(10);
    int placed = 0;
    bool tellsCommunication = false;
    for (std::size_t i = 0; i < legend.entries().size(); ++i) {
        placed += legend.placeOf(i).isEmpty() ? 0 : 1;
        tellsCommunication = tellsCommunication
            || (!legend.placeOf(i).isEmpty() && legend.entries()[i].text == "Communication");
    }
    QVERIFY2(placed >= 6, qPrintable(QString::number(placed)));
    QVERIFY(tellsCommunication);
    // Only the third kernel, 70 to 90 us: nothing else of the GPU.
    m_session->time().show({72 * us, 88 * us});
    QTRY_VERIFY(legend.isReady() && !texts().contains("Communication"));
    QVERIFY2(texts().contains("flash_fwd_kernel") && !texts().contains("gelu_kernel"),
        qPrintable(texts().join(", ")));
    QVERIFY(texts().contains("forward") && !texts().contains("backward"));
    // By kind the ranges have an entry, too; names that are not visible have none.
    ColorChoice::shared().setBy(ColorBy::Kind);
    QTRY_VERIFY(texts().contains("NVTX ranges"));
    QVERIFY(texts().contains("Kernels") && !texts().contains("Host to device"));
    m_session->time().showAll();
    QTRY_VERIFY(texts().contains("Host to device"));
    // Hidden rows have no entry.
    m_pane->rowFilter().setText("nvtx");
    QTRY_VERIFY(legend.isReady() && !texts().contains("Host to device"));
    m_pane->rowFilter().setText({});
    QTRY_VERIFY(texts().contains("Host to device"));
    // Where pinned rows are all that is shown it speaks of them.
    RowId kernels = RowTree::root;
    for (const RowId row : m_rows->subtree(RowTree::root)) {
        const std::vector<TrackRef>& tracks = m_rows->row(row).tracks;
        if (kernels == RowTree::root && tracks.size() == 1 && tracks.front().kind == EventKind::Kernel)
            kernels = row; // of stream 7
    }
    QVERIFY(kernels != RowTree::root);
    m_session->rowView().setPinned(kernels, true);
    m_pane->rowFilter().setText("no row is called so");
    QTRY_VERIFY2(legend.isReady() && texts().contains("Kernels") && !texts().contains("NVTX ranges"),
        qPrintable(texts().join(", ")));
    m_session->rowView().setPinned(kernels, false);
    QTRY_VERIFY(legend.isReady() && texts().isEmpty());
    m_pane->rowFilter().setText({});
}

void ColorsTest::legendTellsLikeNamesApart()
{
    const auto entryOf = [](const QString& text) {
        LegendEntry entry;
        entry.text = text;
        return entry;
    };
    const QString begin = "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize";
    const QString end = "_stage3_warpsize2x2x1_ffma_aligna4_alignc4_execute_kernel__5x_cublas";
    const std::vector<LegendEntry> entries{
        entryOf(begin + "64x64x8" + end), entryOf(begin + "128x32x8" + end), entryOf("softmax")};
    const QFontMetrics metrics(QGuiApplication::font());
    const std::vector<QString> texts = fittingTexts(entries, metrics, 160);
    QCOMPARE(texts[2], QString("softmax"));
    QVERIFY2(texts[0] != texts[1], qPrintable(texts[0]));
    QVERIFY2(
        texts[0].contains("64x64") && texts[1].contains("128x32"), qPrintable(texts[0] + ' ' + texts[1]));
    for (const QString& text : texts)
        QVERIFY(metrics.horizontalAdvance(text) <= 160);
    // Wide letters: hardly more than the beginning has room.
    const QString wide = QString(4, 'W') + QString(8, 'M');
    const std::vector<LegendEntry> wideEntries{
        entryOf(wide + "Athen" + wide), entryOf(wide + "Bthen" + wide)};
    const int room = metrics.horizontalAdvance("WWWWM\u2026MM\u2026");
    const std::vector<QString> wideTexts = fittingTexts(wideEntries, metrics, room);
    QVERIFY2(wideTexts[0] != wideTexts[1], qPrintable(wideTexts[0]));
    for (const QString& text : wideTexts)
        QVERIFY(metrics.horizontalAdvance(text) <= room);
    // Kernels of one template have one label: the difference of their arguments is shown.
    DrawnProgram program;
    program.kernel("void cub::BlockSortAgent<int, 256>(int *)", 0, {10 * us, 30 * us});
    program.kernel("void cub::BlockSortAgent<double, 256>(double *)", 30 * us, {40 * us, 60 * us});
    Session session;
    const auto trace = program.finish();
    session.setTrace(trace, buildRows(*trace));
    std::vector<TrackRef> tracks{{EventKind::Kernel, 0}};
    const auto seen = namesSeen(*trace, tracks, trace->session, {});
    QCOMPARE(seen.size(), std::size_t{2});
    QVERIFY(std::abs(seen[0].time - 20'000) < 100); // nanoseconds, as long as it ran
    const auto two = legendEntries(session, seen, Theme::light());
    QVERIFY2(two[0].text != two[1].text && two[0].text.startsWith("BlockSortAgent"), qPrintable(two[0].text));
    QVERIFY2((two[0].text + two[1].text).contains("double"), qPrintable(two[0].text + ' ' + two[1].text));
}

void ColorsTest::legendMarksAName()
{
    ColorLegend& legend = m_pane->legend();
    std::size_t named = 0; // idle time comes first, and is no name
    while (legend.entries()[named].name.empty())
        ++named;
    QVERIFY(!legend.placeOf(named).isEmpty());
    QTest::mouseClick(&legend, Qt::LeftButton, {}, legend.placeOf(named).center());
    QTRY_COMPARE(m_session->selection().highlighted(ReportId{}).size(), 1U);
    QCOMPARE(std::string(m_trace->name(m_session->selection().highlighted(ReportId{}).front())),
        legend.entries()[named].name);
}

/// Shades contrast just enough with the ground: names on them do not flip between black and white.
void ColorsTest::namesOnShadesOfAKindHaveOneColor()
{
    const Theme& theme = Theme::of(false, false, true);
    for (const EventTint tint : {EventTint::Kernel, EventTint::Nvtx, EventTint::Collective}) {
        for (std::uint32_t hash = 0; hash < 4; ++hash)
            QCOMPARE(Theme::textOn(theme.shade(tint, hash)), QColor(Qt::white));
    }
}

void ColorsTest::legendNamesAFamilyOnce()
{
    DrawnProgram program;
    for (int i = 0; i < 5; ++i) {
        program.range("step_" + std::to_string(i), {100 * us * i, 100 * us * (i + 1)});
        program.range("forward", {100 * us * i, 100 * us * i + 40 * us});
    }
    const auto trace = program.finish();
    Session session;
    session.setTrace(trace, buildRows(*trace));
    TimelinePane pane(session, Theme::light());
    pane.resize(1000, 400);
    pane.show();
    ColorLegend& legend = pane.legend();
    QTRY_VERIFY(legend.isReady() && !legend.entries().empty());
    const auto named = [&](const QString& text) {
        return std::ranges::count_if(
            legend.entries(), [&](const LegendEntry& entry) { return entry.text.startsWith(text); });
    };
    QCOMPARE(named("step_"), 1);
    QCOMPARE(named("step_#"), 1);
    QCOMPARE(named("forward"), 1);
    // A click marks all of them.
    const auto family = std::ranges::find(legend.entries(), QString("step_#"), &LegendEntry::text);
    const QRect place = legend.placeOf(static_cast<std::size_t>(family - legend.entries().begin()));
    QVERIFY(!place.isEmpty());
    QTest::mouseClick(&legend, Qt::LeftButton, {}, place.center());
    QTRY_COMPARE(session.selection().highlighted(ReportId{}).size(), 5U);
}

/// Idle time in one range has a hatching for each cause.
void ColorsTest::legendTellsCausesOfOneRangeApart()
{
    DrawnProgram program;
    program.kernel("first", 0, {10 * us, 30 * us});
    program.range("fill", {40 * us, 20 * ms});
    program.event(EventKind::OsRuntime, "read", {5 * ms, 12 * ms});
    program.kernel("second", 20 * ms, {20 * ms + 10 * us, 20 * ms + 30 * us});
    const auto trace = program.finish();
    const auto times = IdleTimes::of(*trace);
    std::vector<std::uint16_t> numbers;
    times->along({DrawnProgram::process, 0}, {1 * ms, 19 * ms}, 18, numbers);
    std::ranges::sort(numbers);
    const auto [first, last] = std::ranges::unique(numbers);
    numbers.erase(first, last);
    const std::vector<LegendEntry> entries = idleEntries(*times, numbers, Theme::light());
    QCOMPARE(entries.size(), 2U);
    QVERIFY(entries[0].color != entries[1].color);
    QVERIFY2(entries[0].text != entries[1].text, qPrintable(entries[0].text));
    // Alone, the name of the range is enough.
    QCOMPARE(
        idleEntries(*times, std::span(numbers).first(1), Theme::light()).front().text, QString("Idle: fill"));
}

/// Else a number that ends at the right touches the text of the next column.
void ColorsTest::cellsHaveAMarginThatTheRingLacks()
{
    VisibleEdges style;
    QWidget window;
    QTableView table(&window);
    table.setGeometry(20, 30, 200, 100);
    window.resize(300, 200);
    window.show();
    QFocusFrame ring;
    ring.setStyle(&style);
    ring.setWidget(&table);
    QCOMPARE(ring.parentWidget(), &window);
    QCOMPARE(ring.geometry(), table.geometry());
    QVERIFY(style.pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &table) > 0);
}

/// Fusion cuts the text of a narrow box without a mark.
void ColorsTest::narrowBoxesElideTheirText()
{
    VisibleEdges style;
    constexpr QSize size(90, 24);
    const auto pictureOf = [&](const QString& text) {
        QComboBox box;
        box.setStyle(&style);
        box.addItem(text);
        box.resize(size);
        return box.grab().toImage();
    };
    QStyleOptionComboBox option;
    option.rect = QRect(QPoint(), size);
    const int room
        = style.subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, nullptr).width();
    const QString text = "GPU 0 of process 837, python3";
    const QString elided
        = QFontMetrics(QApplication::font("QComboBox")).elidedText(text, Qt::ElideRight, room - 2);
    QVERIFY(elided.endsWith(QChar(0x2026)) && elided.size() > 3);
    QCOMPARE(pictureOf(text), pictureOf(elided));
}

void ColorsTest::cellsAndTitlesHaveOneMargin()
{
    VisibleEdges style;
    QTreeWidget tree;
    tree.setStyle(&style);
    tree.header()->setStyle(&style);
    tree.setFrameShape(QFrame::NoFrame);
    tree.setRootIsDecorated(false);
    tree.setHeaderLabels({"HHH", "HHH"});
    new QTreeWidgetItem(&tree, {"HHH", "HHH"});
    tree.resize(300, 100);
    const QImage image = tree.grab().toImage();
    const auto leftOf = [&](int top, int height) { // the first column with ink
        for (int x = 0; x < 80; ++x) {
            for (int y = top; y < top + height; ++y) {
                if (image.pixelColor(x, y).lightness() < 100)
                    return x;
            }
        }
        return -1;
    };
    const int title = tree.header()->height();
    const int line = tree.visualItemRect(tree.topLevelItem(0)).height();
    QVERIFY(leftOf(title, line) >= 6);
    QCOMPARE(leftOf(2, title - 4), leftOf(title, line));
    QVERIFY(line >= tree.fontMetrics().height() + 5); // as lines of tables
}

/// With high contrast, a checked button is filled, and the arrow of a selected line is seen.
void ColorsTest::chosenPartsHaveTheHighlight()
{
    VisibleEdges style;
    for (const bool dark : {false, true}) {
        const QPalette colors = Theme::of(dark, false, true).palette();
        QWidget window;
        window.setPalette(colors);
        QToolButton button(&window);
        button.setStyle(&style);
        button.setAutoRaise(true);
        button.setCheckable(true);
        button.setText("Timeline");
        button.resize(90, 30);
        const auto groundOf = [&] { return button.grab().toImage().pixelColor(6, 15); };
        const QColor before = groundOf();
        button.setChecked(true);
        QVERIFY(contrastOf(groundOf(), before) >= 3);

        QTreeWidget tree(&window);
        tree.setStyle(&style);
        tree.setFrameShape(QFrame::NoFrame);
        tree.setHeaderHidden(true);
        auto* const item = new QTreeWidgetItem(&tree, {"a line"});
        new QTreeWidgetItem(item, {"below"});
        item->setSelected(true);
        tree.resize(200, 60);
        const QImage image = tree.grab().toImage();
        const int middle = tree.visualItemRect(item).center().y();
        double most = 1;
        for (int x = 0; x < tree.indentation(); ++x)
            most = std::max(most, contrastOf(image.pixelColor(x, middle), colors.color(QPalette::Highlight)));
        QVERIFY2(most >= 3, std::to_string(most).c_str());
    }
}

void ColorsTest::sliderStandsOutFromItsGroove()
{
    VisibleEdges style;
    for (const Theme* const theme : {&Theme::light(), &Theme::dark()}) {
        for (const Qt::Orientation orientation : {Qt::Horizontal, Qt::Vertical}) {
            QScrollBar bar(orientation);
            bar.setStyle(&style);
            bar.setPalette(theme->palette());
            bar.setRange(0, 100);
            bar.setPageStep(100);
            bar.resize(orientation == Qt::Horizontal ? QSize(200, 14) : QSize(14, 200));
            const QImage image = bar.grab().toImage();
            const auto lightnessAt = [&](double along) {
                const int place = static_cast<int>(along * 199);
                return orientation == Qt::Horizontal ? image.pixelColor(place, 7).lightness()
                                                     : image.pixelColor(7, place).lightness();
            };
            const int ground = theme->palette().color(QPalette::Window).lightness();
            QVERIFY(std::abs(lightnessAt(0.3) - ground) > 60); // the slider
            QVERIFY(std::abs(lightnessAt(0.8) - ground) < 10); // the groove
        }
    }
}

/// For two compared runs, names have the same colours whichever is read first.
void ColorsTest::whatWasOpenedFirstIsColoredFirst()
{
    Session a;
    Session b;
    NameBooks& booksOfA = a.names();
    NameBooks& booksOfB = b.names();
    DrawnProgram first;
    first.kernel("turn_of_a", 5 * us, {10 * us, 40 * us});
    const auto traceOfA = first.finish();
    DrawnProgram second;
    second.kernel("turn_of_b", 5 * us, {10 * us, 40 * us});
    const auto traceOfB = second.finish();
    auto loading = std::make_shared<Trace>();
    loading->session = {0, 1000};
    a.setTrace(loading, std::make_shared<const RowTree>());
    QSignalSpy colored(&NameColors::shared(), &NameColors::changed);
    b.setTrace(traceOfB, buildRows(*traceOfB));
    QTRY_VERIFY(booksOfB.find(ReportId{0}) && !booksOfB.isBusy());
    QCOMPARE(colored.count(), 0); // that of A is still being read
    a.setTrace(traceOfA, buildRows(*traceOfA));
    QTRY_VERIFY(booksOfA.find(ReportId{0}) && !booksOfA.isBusy());
    QCOMPARE(colored.count(), 1); // of A and B, in this order
}

void ColorsTest::legendCanBeHidden()
{
    const int before = m_pane->view().height();
    ColorChoice::shared().setShowsLegend(false);
    QVERIFY(m_pane->legend().isHidden());
    QVERIFY(m_pane->view().height() > before);
    ColorChoice::shared().setShowsLegend(true);
    QCOMPARE(m_pane->view().height(), before);
}

WARPLINE_TEST(ColorsTest)

} // namespace tst_colors

#include "tst_colors.moc"
