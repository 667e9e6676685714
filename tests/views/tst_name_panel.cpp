// The Name panel and filter fields, clicked, typed into and brushed as a user does.

#include "core/load/load_report.h"
#include "core/query/event_list.h"
#include "core/rows/row_kind.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/support/test_program.h"
#include "views/panels/events_panel.h"
#include "views/panels/name_histogram.h"
#include "views/panels/name_panel.h"
#include "views/panels/stats_panel.h"
#include "views/session/name_books.h"
#include "views/session/saved_filters.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <numeric>

namespace tst_name_panel {

using namespace warpline;
using namespace warpline::test;

namespace {

Ns sumOf(const EventTable& table, const std::vector<EventIndex>& events)
{
    return std::accumulate(
        events.begin(), events.end(), Ns{0}, [&](Ns sum, EventIndex i) { return sum + table.duration[i]; });
}

} // namespace

namespace {

/// The first bar that holds events.
std::size_t fullBar(const DurationHistogram& bars)
{
    std::size_t bar = 0;
    while (bar + 1 < bars.bins() && bars.counts[bar] == 0)
        ++bar;
    return bar;
}

} // namespace

class NamePanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName("warpline-test");
        QCoreApplication::setApplicationName("tst_name_panel");
        QSettings().clear();
        const auto trace = loadReport(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
        QVERIFY(trace.ok());
        m_trace = trace.value();
        m_panel = std::make_unique<NamePanel>(m_session, Theme::dark());
        m_panel->resize(1300, 420);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
        m_session.setTrace(m_trace, buildRows(*m_trace));
    }
    void cleanupTestCase() { m_panel.reset(); }

    void init()
    {
        m_session.selection().setFilter({});
        m_session.selection().clearHighlights();
        m_panel->keep().setChecked(false);
        m_panel->filter().clear();
        m_panel->forms().setCurrentIndex(0);
        m_session.selection().setCurrentEvent({});
        select({EventKind::Kernel, 100});
        QTRY_VERIFY(!m_panel->isBusy() && m_panel->answer());
    }

    void withoutANameThereIsNothingEmpty()
    {
        QVERIFY(m_panel->histogram().isVisible() && m_panel->table().isVisible());
        Session session;
        NamePanel panel(session, Theme::dark());
        panel.resize(1300, 420);
        panel.show();
        QVERIFY(!panel.histogram().isVisible() && !panel.table().isVisible());
        QVERIFY(panel.figures().contains("Select an event"));
        // There is nothing to narrow, to keep or to go to.
        QVERIFY(!panel.filter().isVisible() && !panel.keep().isVisible() && !panel.longest().isVisible());
    }

    /// The values of another name do not stay below the message of the window.
    void aFailureStandsInThePlaceOfValues()
    {
        const auto worksAgain = qScopeGuard([] { JobQueue::failsInTests = false; });
        QSignalSpy told(&JobFailures::shared(), &JobFailures::happened);
        JobQueue::failsInTests = true;
        m_session.selection().setCurrentEvent({});
        select({EventKind::ApiCall, 10});
        QTRY_VERIFY(!told.isEmpty());
        QTRY_COMPARE(m_panel->figures(), told.front().front().toString());
        QVERIFY(!m_panel->answer() && !m_panel->isBusy() && m_panel->title().isEmpty());
        QVERIFY(m_panel->groups().empty() && !m_panel->histogram().isVisible());
        JobQueue::failsInTests = false;
        select({EventKind::Kernel, 100});
        QTRY_VERIFY(m_panel->answer() && m_panel->histogram().isVisible());
    }

    void barsWithoutRoomForNumbersArePainted()
    {
        NameHistogram narrow(Theme::dark());
        narrow.setHistogram({{0, 1'000, 2'000}, {1, 2}, {500, 3'000}});
        for (const int width : {1, 20, 40}) {
            narrow.resize(width, 100);
            QVERIFY(!narrow.grab().isNull());
        }
    }

    void followsTheCurrentEvent()
    {
        QCOMPARE(
            m_panel->title(), QString::fromStdString(std::string(m_trace->name({EventKind::Kernel, 100}))));
        const auto events = eventsOf(*m_trace, namedAs(*m_trace, {EventKind::Kernel, 100}));
        QCOMPARE(m_panel->answer()->figures.count, std::uint64_t{events.size()});
        QCOMPARE(m_panel->answer()->figures.total, sumOf(m_trace->kernels(), events));
        QTRY_VERIFY(m_panel->figures().contains("Selected: "));
        QVERIFY(m_panel->figures().contains("are shorter"));
        select({EventKind::ApiCall, 50});
        QTRY_VERIFY(!m_panel->isBusy() && m_panel->query()->kind == EventKind::ApiCall);
        QVERIFY(!m_panel->forms().isVisible()); // calls have one name
        QTest::mouseClick(&m_panel->keep(), Qt::LeftButton);
        select({EventKind::Kernel, 5});
        QTest::qWait(50);
        QCOMPARE(m_panel->query()->kind, EventKind::ApiCall);
        QTest::mouseClick(&m_panel->keep(), Qt::LeftButton); // now it follows again
        QTRY_COMPARE(m_panel->query()->kind, EventKind::Kernel);
    }

    void answerStaysThatOfItsKind()
    {
        // Until the result for calls arrives, the content is about kernels: a call does not match it,
        // whatever its index.
        const EventTable& calls = m_trace->table(EventKind::ApiCall);
        const std::vector<EventIndex>& kernels = m_panel->answer()->events;
        const auto twin = std::ranges::find_if(kernels,
            [&](EventIndex i) { return i + 1 < calls.size() && calls.name[i] == calls.name[i + 1]; });
        QVERIFY(twin != kernels.end());
        select({EventKind::ApiCall, *twin + 1}); // asks
        select({EventKind::ApiCall, *twin}); // of the same name
        QCOMPARE(m_panel->answer()->query.kind, EventKind::Kernel);
        QVERIFY2(!m_panel->figures().contains("Selected: "), qPrintable(m_panel->figures()));
        QTRY_COMPARE(m_panel->answer()->query.kind, EventKind::ApiCall);
        QTRY_VERIFY(m_panel->figures().contains("are shorter"));
    }

    /// They are of whole events, also of those that the range cuts.
    void figuresOfARangeAreNamedWhole()
    {
        QVERIFY(m_panel->figures().contains("Total&nbsp;"));
        const TimeRange event = m_trace->range({EventKind::Kernel, 100});
        m_session.time().selectRange({event.start + 1, event.end - 1});
        QTRY_VERIFY(m_panel->figures().contains("Total, whole"));
        m_session.time().selectRange({});
        QTRY_VERIFY(!m_panel->figures().contains("Total, whole"));
    }

    void formsOfAName()
    {
        const std::uint64_t full = m_panel->answer()->figures.count;
        choose(m_panel->forms(), 2);
        QTRY_VERIFY(!m_panel->isBusy());
        const auto events = eventsOf(*m_trace, namedAs(*m_trace, {EventKind::Kernel, 100}, NameForm::Short));
        QTRY_COMPARE(m_panel->answer()->figures.count, std::uint64_t{events.size()});
        QVERIFY(events.size() >= full);
    }

    void brushNarrowsListAndTimeline()
    {
        EventsPanel list(m_session);
        list.resize(900, 300);
        list.show();
        NameHistogram& histogram = m_panel->histogram();
        const DurationHistogram& bars = histogram.histogram();
        const std::size_t half = bars.bins() / 2;
        const QPoint from = histogram.barOf(half).center();
        const QPoint to = histogram.barOf(bars.bins() - 1).center();
        QTest::mousePress(&histogram, Qt::LeftButton, {}, from);
        QTest::mouseMove(&histogram, (from + to) / 2);
        QTest::mouseMove(&histogram, to);
        QTest::mouseRelease(&histogram, Qt::LeftButton, {}, to);
        QVERIFY(histogram.brushed());
        QCOMPARE(histogram.brushed()->first, half);
        QCOMPARE(histogram.brushed()->second, bars.bins() - 1);
        std::size_t count = 0;
        Ns total = 0;
        for (const EventIndex i : m_panel->answer()->events) {
            if (m_trace->kernels().duration[i] >= bars.edges[half]) {
                ++count;
                total += m_trace->kernels().duration[i];
            }
        }
        QVERIFY(count > 0);
        QVERIFY2(m_panel->brushText().startsWith(QString::number(count) + " event"),
            qPrintable(m_panel->brushText()));
        QTRY_COMPARE(m_session.selection().highlighted(m_session.report().id).size(), count);
        QTRY_VERIFY(!list.isBusy() && list.model().list().size() == count);
        QCOMPARE(list.model().list().totalDuration(), total);
        QTest::keyClick(&histogram, Qt::Key_Escape);
        QVERIFY(!histogram.brushed());
        QVERIFY(m_session.selection().filter() == EventFilter());
        QVERIFY(m_panel->brushText().isEmpty());
        // One bar, and the same again.
        std::size_t fullest = 0;
        for (std::size_t i = 0; i < bars.bins(); ++i)
            fullest = bars.counts[i] > bars.counts[fullest] ? i : fullest;
        QTest::mouseClick(&histogram, Qt::LeftButton, {}, histogram.barOf(fullest).center());
        QTRY_COMPARE(m_session.selection().highlighted(m_session.report().id).size(),
            std::size_t{bars.counts[fullest]});
        QTest::mouseClick(&histogram, Qt::LeftButton, {}, histogram.barOf(fullest).center());
        QVERIFY(!histogram.brushed());
        QVERIFY(m_session.selection().filter() == EventFilter());
    }

    /// Durations that differ behind the usual digits stand at the axis with more of them.
    void closeValuesAreToldApartAtTheAxis()
    {
        DurationHistogram close;
        for (Ns edge = 406'900; edge <= 410'900; edge += 250)
            close.edges.push_back(edge);
        close.counts.assign(close.edges.size() - 1, 1);
        close.totals.assign(close.edges.size() - 1, 407'000);
        NameHistogram histogram(Theme::light());
        histogram.setHistogram(close);
        const QStringList texts = histogram.axisTexts();
        QVERIFY(texts.size() > 4);
        QCOMPARE(QSet<QString>(texts.begin(), texts.end()).size(), texts.size());
    }

    /// A click outside of the bars brushes nothing, and does not empty the list.
    void aClickBesideTheBarsBrushesNothing()
    {
        NameHistogram& histogram = m_panel->histogram();
        const DurationHistogram& bars = histogram.histogram();
        std::size_t empty = 0;
        while (empty < bars.bins() && bars.counts[empty] > 0)
            ++empty;
        QVERIFY(empty < bars.bins());
        QTest::mouseClick(&histogram, Qt::LeftButton, {}, histogram.barOf(empty).center());
        QVERIFY(!histogram.brushed());
        QCOMPARE(m_session.selection().filter(), EventFilter());
        QVERIFY(m_panel->brushText().isEmpty());
        // The same click ends a brush that is there.
        QTest::mouseClick(&histogram, Qt::LeftButton, {}, histogram.barOf(fullBar(bars)).center());
        QVERIFY(histogram.brushed() && m_session.selection().filter() != EventFilter());
        QTest::mouseClick(&histogram, Qt::LeftButton, {}, histogram.barOf(empty).center());
        QVERIFY(!histogram.brushed());
        QCOMPARE(m_session.selection().filter(), EventFilter());
    }

    /// Esc in the timeline selects everything again, including events that a brush excluded.
    void escInTheTimelineEndsTheBrush()
    {
        NameHistogram& histogram = m_panel->histogram();
        QTest::mouseClick(
            &histogram, Qt::LeftButton, {}, histogram.barOf(fullBar(histogram.histogram())).center());
        QVERIFY(histogram.brushed());
        QTRY_VERIFY(!m_session.selection().highlighted(m_session.report().id).empty());
        m_session.selection().clear(); // the key's effect, see tst_timeline
        QVERIFY(!histogram.brushed());
        QCOMPARE(m_session.selection().filter(), EventFilter());
        QVERIFY(m_panel->brushText().isEmpty());
    }

    /// The filter of a brush leads an empty panel to the name and to the brush: a copied command line has it.
    void theFilterOfABrushBringsItBack()
    {
        for (const int form : {0, 1}) {
            choose(m_panel->forms(), form);
            QTRY_VERIFY(!m_panel->isBusy());
            NameHistogram& histogram = m_panel->histogram();
            const std::size_t bar = fullBar(histogram.histogram());
            QTest::mouseClick(&histogram, Qt::LeftButton, {}, histogram.barOf(bar).center());
            const EventFilter filter = m_session.selection().filter();
            QCOMPARE(m_panel->shownFilter(), filter);
            Session session;
            NamePanel other(session, Theme::dark());
            other.resize(1300, 420);
            other.show();
            session.setTrace(m_trace, buildRows(*m_trace));
            choose(other.forms(), form);
            session.selection().setFilter(filter);
            QTRY_VERIFY(!other.isBusy() && other.histogram().brushed());
            QCOMPARE(other.title(), m_panel->title());
            QCOMPARE(other.histogram().brushed()->first, bar);
            QCOMPARE(other.brushText(), m_panel->brushText());
            QVERIFY(session.selection().filter() == filter);
        }
    }

    void brushOfShownNames()
    {
        choose(m_panel->forms(), 1);
        QTest::keyClicks(&m_panel->filter(), "grid>10");
        QTRY_VERIFY(!m_panel->isBusy());
        NameHistogram& histogram = m_panel->histogram();
        QTest::mouseClick(&histogram, Qt::LeftButton, {}, histogram.barOf(0).center());
        const std::size_t expected = histogram.histogram().counts[0];
        QTRY_COMPARE(m_session.selection().highlighted(m_session.report().id).size(), expected);
    }

    /// PyTorch repeats the annotations of threads on the GPU: Selection lists, and highlights, each alone.
    void annotationsOnTheGpuAreApart()
    {
        const auto loaded = loadReport(WARPLINE_TEST_DATA "/traces/bert_stack.json.gz");
        QVERIFY(loaded.ok());
        const Trace& trace = *loaded.value();
        Session session;
        StatsPanel stats(session, Theme::dark());
        NamePanel panel(session, Theme::dark());
        stats.show();
        panel.show();
        session.setTrace(loaded.value(), buildRows(trace));
        QTRY_VERIFY(!stats.isBusy() && !stats.stats().names.empty());
        const QAbstractItemModel& lines = *stats.nameTable().model();
        const Selection& selection = session.selection();
        const auto marks = [&](bool onGpu) {
            const auto& marked = selection.highlighted(session.report().id);
            return marked.size() == 1 && marked.front().kind == EventKind::Nvtx
                && isRecordedOnGpu(EventKind::Nvtx, trace.nvtx().trackOf(marked.front().index)) == onGpu;
        };
        for (const bool onGpu : {false, true}) {
            const QString kind = onGpu ? "GPU annotation" : "Annotation";
            int row = 0;
            while (row < lines.rowCount()
                && (lines.index(row, 0).data().toString() != "forward"
                    || lines.index(row, 1).data().toString() != kind))
                ++row;
            QVERIFY2(row < lines.rowCount(), qPrintable(kind));
            emit stats.nameTable().clicked(lines.index(row, 0));
            QTRY_VERIFY(marks(onGpu));
            const EventId event = session.idOf(selection.highlighted(session.report().id).front());
            session.selection().setCurrentEvent(event);
            QTRY_VERIFY(!panel.isBusy() && panel.answer() && panel.answer()->query.recordedOnGpu == onGpu);
            const QStringList words = panel.commandWords();
            QCOMPARE(words.mid(0, 3), QStringList({"forward", "--kind", onGpu ? "gpu_annotation" : "nvtx"}));
            QTRY_VERIFY(session.names().find(event.report));
            QCOMPARE(session.names().summaryOf(event) == nullptr, onGpu); // a book has those of threads
        }
    }

    void filterNarrowsTheName()
    {
        const std::uint64_t all = m_panel->answer()->figures.count;
        m_panel->filter().setText("dur>");
        QVERIFY(m_panel->filter().mistake()); // half typed: nothing changes
        QTest::qWait(50);
        QCOMPARE(m_panel->answer()->figures.count, all);
        const double median = m_panel->answer()->figures.median;
        QTest::keyClicks(&m_panel->filter(), QString::number(qint64(median)));
        QTRY_VERIFY(!m_panel->isBusy() && m_panel->answer()->figures.count < all);
        QVERIFY(double(m_panel->answer()->figures.least) > median);
        m_panel->filter().setText("dur<0");
        QTRY_COMPARE(m_panel->answer()->figures.count, std::uint64_t{0});
        QVERIFY(m_panel->figures().contains("No event"));
    }

    void jumpsToEvents()
    {
        const DurationFigures figures = m_panel->answer()->figures;
        QTest::mouseClick(&m_panel->longest(), Qt::LeftButton);
        QCOMPARE(m_session.selection().ownCurrentEvent(), EventRef(EventKind::Kernel, figures.longest));
        QTest::mouseClick(&m_panel->shortest(), Qt::LeftButton);
        QCOMPARE(m_session.selection().ownCurrentEvent(), EventRef(EventKind::Kernel, figures.shortest));
        QTest::mouseClick(&m_panel->median(), Qt::LeftButton);
        QCOMPARE(
            m_session.selection().ownCurrentEvent(), EventRef(EventKind::Kernel, m_panel->answer()->middle));
        NamePaceChart& pace = m_panel->paceChart();
        for (std::size_t i = 0; i < pace.pace().columns.size(); ++i) {
            if (pace.pace().columns[i].count == 0)
                continue;
            QTest::mouseClick(&pace, Qt::LeftButton, {}, pace.middleOf(i));
            break;
        }
        const EventRef first = m_session.selection().ownCurrentEvent();
        QVERIFY(std::ranges::any_of(pace.pace().columns,
            [&](const PaceColumn& column) { return column.count > 0 && column.longest == first.index; }));
        choose(m_panel->paces(), 1);
        QTRY_VERIFY(!m_panel->isBusy() && m_panel->answer()->pace.byInstance);
        std::uint64_t events = 0;
        for (const PaceColumn& column : m_panel->answer()->pace.columns)
            events += column.count;
        QCOMPARE(events, figures.count);
        choose(m_panel->paces(), 0);
        QTRY_VERIFY(!m_panel->isBusy());
    }

    void groupsAreChosen()
    {
        for (int i = 0; i < m_panel->groupings().count(); ++i) {
            choose(m_panel->groupings(), i);
            QTRY_VERIFY(!m_panel->isBusy());
            QVERIFY(m_panel->table().model()->rowCount() > 0);
            std::uint64_t events = 0;
            for (const NameGroup& group : m_panel->groups())
                events += group.figures.count;
            QCOMPARE(events, m_panel->answer()->figures.count);
        }
        const QModelIndex first = m_panel->table().model()->index(0, 0);
        m_panel->table().scrollTo(first);
        const QPoint at = m_panel->table().visualRect(first).center();
        QTest::mouseClick(m_panel->table().viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(m_panel->table().viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(m_session.selection().ownCurrentEvent().index, m_panel->groups().front().figures.longest);
    }

    void followsTheLineOfATable()
    {
        std::vector<EventRef> alike;
        const auto calls = eventsOf(*m_trace, namedAs(*m_trace, {EventKind::ApiCall, 50}));
        for (const EventIndex i : calls)
            alike.push_back({EventKind::ApiCall, i});
        m_session.selection().setHighlighted(m_session.report().id, alike);
        QTRY_VERIFY(!m_panel->isBusy() && m_panel->query()->kind == EventKind::ApiCall);
        QCOMPARE(m_panel->answer()->figures.count, std::uint64_t{calls.size()});
    }

    void weightsAndAxes()
    {
        choose(m_panel->weights(), 1);
        QVERIFY(m_panel->histogram().isByTime());
        choose(m_panel->axes(), 2);
        QTRY_VERIFY(!m_panel->isBusy() && m_panel->answer()->histogram.isLogarithmic);
        choose(m_panel->axes(), 1);
        QTRY_VERIFY(!m_panel->isBusy() && !m_panel->answer()->histogram.isLogarithmic);
        QVERIFY(m_panel->histogram().tipAt(m_panel->histogram().barOf(0).center()).contains("of the time"));
        choose(m_panel->weights(), 0);
        choose(m_panel->axes(), 0);
        QSettings settings;
        choose(m_panel->weights(), 1);
        m_panel->saveState(settings);
        NamePanel other(m_session, Theme::light());
        other.restoreState(settings);
        QVERIFY(other.histogram().isByTime());
        choose(m_panel->weights(), 0);
    }

    void fieldsOfferWhatFits()
    {
        FilterEdit& field = m_panel->filter();
        field.setFocus();
        QTest::keyClicks(&field, "stre");
        QTRY_VERIFY(field.offered().contains("stream="));
        field.clear();
        QTest::keyClicks(&field, "kind=ker");
        QTRY_VERIFY(field.offered().contains("kernel"));
        QTest::keyClick(&field, Qt::Key_Escape);
        QVERIFY(field.offered().isEmpty());
        QCOMPARE(field.text(), QString("kind=ker"));
        field.clear();
        QTest::keyClick(&field, Qt::Key_Down);
        QVERIFY(field.offered().contains("dur>"));
        QTest::keyClick(&field, Qt::Key_Escape);
    }

    /// Words that occur only in the help of a field are searched as typed: Enter does not replace them.
    void enterKeepsAWordThatNoFieldBeginsWith()
    {
        FilterEdit& field = m_panel->filter();
        field.clear();
        field.setFocus();
        QTest::keyClicks(&field, "kernel");
        QTRY_VERIFY(field.offered().contains("grid>")); // "grid of a kernel"
        QWidget* const list = QApplication::activePopupWidget();
        QVERIFY(list);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(field.text(), QString("kernel"));
        field.clear();
        QTest::keyClicks(&field, "stre");
        QTRY_VERIFY(field.offered().contains("stream="));
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Down);
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
        QVERIFY2(field.text().startsWith("stream"), qPrintable(field.text()));
        QTest::keyClick(&field, Qt::Key_Escape);
        field.clear();
    }

    void mistakesAreTips()
    {
        FilterEdit& field = m_panel->filter();
        QTest::keyClicks(&field, "durr>5");
        QVERIFY(field.mistake());
        QVERIFY(field.toolTip().contains("did you mean dur?"));
        // Shown without the mouse, after a pause in typing.
        auto* const note = m_panel->findChild<FilterNote*>();
        QVERIFY(note && note->isHidden());
        QTRY_VERIFY(!note->isHidden() && note->text().contains("did you mean dur?"));
        // While completions are shown there is no message, and they stay.
        field.clear();
        QTest::keyClicks(&field, "kind=");
        QVERIFY(field.mistake() && !field.offered().isEmpty());
        QTest::qWait(1'200);
        QVERIFY(note->isHidden() && !field.offered().isEmpty());
        QTest::keyClick(&field, Qt::Key_Escape);
        QTRY_VERIFY(!note->isHidden());
        field.setText("dur>5");
        QVERIFY(!field.mistake());
        QVERIFY(!field.toolTip().contains("did you mean"));
        QVERIFY(note->isHidden());
        field.setText("dur>5 durr>5");
        QTest::keyClick(&field, Qt::Key_Return); // at once
        QVERIFY2(!note->isHidden() && note->text().contains("\u201cdur>5\u201d"), qPrintable(note->text()));
        field.clear();
    }

    void filtersAreKept()
    {
        SavedFilters& kept = SavedFilters::shared();
        FilterEdit& field = m_panel->filter();
        field.setText("stream=7 dur>5us");
        field.star().trigger();
        QVERIFY(kept.has("stream=7 dur>5us"));
        QCOMPARE(QSettings().value("filters/saved").toStringList(), kept.all());
        field.clear();
        QTest::keyClick(&field, Qt::Key_Down);
        QVERIFY(field.offered().contains("stream=7 dur>5us"));
        QTest::keyClick(&field, Qt::Key_Escape);
        field.setText("stream=7 dur>5us");
        field.star().trigger();
        QVERIFY(!kept.has("stream=7 dur>5us"));
    }

    /// Each window is a process of its own, and the settings are the same.
    void filtersOfAnotherWindowStay()
    {
        SavedFilters& kept = SavedFilters::shared();
        kept.add("kind=copy");
        QSettings().setValue("filters/saved", QStringList{"saved elsewhere", "kind=copy"});
        kept.add("kind=kernel");
        const QStringList both{"kind=kernel", "saved elsewhere", "kind=copy"};
        QCOMPARE(kept.all(), both);
        QCOMPARE(QSettings().value("filters/saved").toStringList(), both);
        QSettings().setValue("filters/saved", QStringList{"saved since"} + both);
        kept.remove("kind=kernel");
        QCOMPARE(kept.all(), (QStringList{"saved since", "saved elsewhere", "kind=copy"}));
        for (const QString& filter : QStringList(kept.all()))
            kept.remove(filter);
    }

    void eventsTakeFilters()
    {
        EventsPanel list(m_session);
        list.resize(900, 300);
        list.show();
        QTest::keyClicks(&list.nameFilter(), "kind=kernel");
        QTRY_VERIFY(!list.isBusy() && list.model().list().size() == m_trace->kernels().size());
        std::size_t fewest = m_trace->kernels().size();
        connect(&list.model(), &EventsModel::updated, this,
            [&] { fewest = std::min(fewest, list.model().list().size()); });
        for (const QChar letter : QString(" dur>")) { // "du" is a name too, but not meant
            QTest::keyClicks(&list.nameFilter(), QString(letter));
            QTest::qWait(120);
        }
        QCOMPARE(fewest, m_trace->kernels().size());
        QTest::keyClicks(&list.nameFilter(), "100us");
        EventQuery query;
        query.window = {m_trace->session.start, m_trace->session.end};
        query.text = "kind=kernel dur>100us";
        const EventList expected(m_trace, query);
        QVERIFY(expected.size() > 0);
        QTRY_VERIFY(!list.isBusy() && list.model().list().size() == expected.size());
        QTest::keyClicks(&list.nameFilter(), " or"); // half typed: the list stays
        QVERIFY(list.nameFilter().mistake());
        QTest::qWait(50);
        QCOMPARE(list.model().list().size(), expected.size());
    }

    /// It is no name, and what it becomes may have a mistake: the filter before it stays.
    void aHalfTypedFieldFiltersNothing()
    {
        EventsPanel list(m_session);
        list.show();
        FilterEdit& field = list.nameFilter();
        const auto filtered = [this] { return QString::fromStdString(m_session.selection().filter().text); };
        QTest::keyClicks(&field, "kind=kernel");
        QCOMPARE(filtered(), QString("kind=kernel"));
        QSignalSpy told(&field, &FilterEdit::mistakeTold);
        field.selectAll();
        QTest::keyClicks(&field, "dur>>5");
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(filtered(), QString("kind=kernel"));
        QVERIFY(!told.isEmpty() && told.back().front().toString().contains("kind=kernel"));
        // Unless the user asks for it.
        field.selectAll();
        QTest::keyClicks(&field, "dur");
        QCOMPARE(filtered(), QString("kind=kernel"));
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(filtered(), QString("dur"));
        field.clear();
        QCOMPARE(filtered(), QString());
    }

    /// The tree contains the table's events, and links to the same ones.
    void eventsNestUnderRanges()
    {
        EventsPanel list(m_session);
        const QAbstractItemModelTester tester(
            &list.nested(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        list.resize(900, 300);
        list.show();
        QTRY_VERIFY(!list.isBusy() && list.model().rowCount() > 0);
        QVERIFY(list.table().isVisible() && !list.tree().isVisible());
        QTest::keyClicks(&list.nameFilter(), "kind=kernel,nvtx");
        QTRY_VERIFY(!list.isBusy() && list.model().rowCount() > 0);
        list.nestButton().click();
        QTRY_VERIFY(!list.isBusy() && list.nested().rowCount() > 0);
        QVERIFY(list.tree().isVisible() && !list.table().isVisible());
        const std::size_t listed = list.model().list().size();
        QCOMPARE(countBelow(list.nested(), {}), listed);
        const QModelIndex leaf = firstEvent(list.nested(), {});
        const EventId event = list.nested().idAt(leaf);
        QVERIFY(event.valid());
        list.tree().setCurrentIndex(leaf);
        QCOMPARE(m_session.selection().currentEvent(), event);
        QCOMPARE(list.nested().indexOf(event), leaf.siblingAtColumn(0));
        // The selection in the timeline is found in the tree.
        const EventId other = list.model().idAt(list.model().rowCount() / 2);
        m_session.selection().setCurrentEvent(other);
        QCOMPARE(list.nested().idAt(list.tree().currentIndex()), other);
        // Half typed the tree stays; a filter narrows it.
        QTest::keyClicks(&list.nameFilter(), " dur>");
        QVERIFY(list.nameFilter().mistake());
        QTest::qWait(100);
        QCOMPARE(countBelow(list.nested(), {}), listed);
        QTest::keyClicks(&list.nameFilter(), "100us");
        QTRY_VERIFY(!list.isBusy() && countBelow(list.nested(), {}) < listed);
        QCOMPARE(countBelow(list.nested(), {}), list.model().list().size());
        list.nestButton().click();
        QVERIFY(list.table().isVisible());
        QCOMPARE(list.nested().rowCount(), 0);
        list.nameFilter().clear();
    }

    /// Another report, none, and a loading one: the previous content is gone.
    void reportsComeAndGo()
    {
        Session session;
        NamePanel panel(session, Theme::light());
        panel.resize(900, 300);
        panel.show();
        session.setTrace(m_trace, buildRows(*m_trace));
        session.selection().setCurrentEvent(session.idOf({EventKind::Kernel, 3}));
        QTRY_VERIFY(!panel.isBusy() && panel.answer());
        DrawnProgram program;
        program.kernel("k", 10'000, {20'000, 30'000});
        const auto other = program.finish();
        session.setTrace(other, buildRows(*other));
        QVERIFY(!panel.answer() && panel.title().isEmpty());
        session.selection().setCurrentEvent(session.idOf({EventKind::Kernel, 0}));
        QTRY_VERIFY(!panel.isBusy() && panel.answer());
        QCOMPARE(panel.answer()->figures.count, std::uint64_t{1});
    }

private:
    static std::size_t countBelow(const NestedEventsModel& model, const QModelIndex& parent)
    {
        std::size_t count = 0;
        for (int row = 0; row < model.rowCount(parent); ++row) {
            const QModelIndex at = model.index(row, 0, parent);
            count += model.idAt(at).valid() ? 1 : countBelow(model, at);
        }
        return count;
    }
    static QModelIndex firstEvent(const NestedEventsModel& model, const QModelIndex& parent)
    {
        for (int row = 0; row < model.rowCount(parent); ++row) {
            const QModelIndex at = model.index(row, 0, parent);
            if (model.idAt(at).valid())
                return at;
            if (const QModelIndex found = firstEvent(model, at); found.isValid())
                return found;
        }
        return {};
    }
    void select(EventRef event) { m_session.selection().setCurrentEvent(m_session.idOf(event)); }

    /// Like a user: activated() is emitted, too.
    static void choose(QComboBox& box, int index)
    {
        box.setCurrentIndex(index);
        emit box.activated(index);
    }

    std::shared_ptr<const Trace> m_trace;
    Session m_session;
    std::unique_ptr<NamePanel> m_panel;
};

WARPLINE_TEST(NamePanelTest)

} // namespace tst_name_panel

#include "tst_name_panel.moc"
