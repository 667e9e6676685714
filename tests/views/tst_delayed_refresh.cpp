// When a panel updates: during a drag or after it, and never while it is hidden.

#include "tests/support/test_program.h"
#include "views/loading/delayed_refresh.h"

#include <QTest>

namespace tst_delayed_refresh {

using namespace warpline;

class DelayedRefreshTest : public QObject {
    Q_OBJECT

private slots:
    void joinsABurst();
    void followsADrag();
    void waitsUntilADragRests();
    void hiddenWidgetsWaitUntilShown();
    void cancelForgets();
    void oneClickNeedNotWait();
};

void DelayedRefreshTest::joinsABurst()
{
    QWidget widget;
    widget.show();
    int refreshed = 0;
    DelayedRefresh refresh(widget, 20, [&] { ++refreshed; });
    for (int i = 0; i < 50; ++i)
        refresh.request();
    QVERIFY(refresh.isPending());
    QCOMPARE(refreshed, 0);
    QTRY_COMPARE(refreshed, 1);
    QVERIFY(!refresh.isPending());
    QTest::qWait(60);
    QCOMPARE(refreshed, 1);
}

void DelayedRefreshTest::followsADrag()
{
    QWidget widget;
    widget.show();
    int refreshed = 0;
    DelayedRefresh refresh(widget, 30, [&] { ++refreshed; });
    for (int i = 0; i < 40; ++i) {
        refresh.request();
        QTest::qWait(10);
    }
    QVERIFY2(refreshed >= 2, qPrintable(QString::number(refreshed)));
}

void DelayedRefreshTest::waitsUntilADragRests()
{
    QWidget widget;
    widget.show();
    int refreshed = 0;
    DelayedRefresh refresh(
        widget, 400, [&] { ++refreshed; }, RefreshTime::AfterRest);
    for (int i = 0; i < 60; ++i) {
        refresh.request();
        QTest::qWait(10);
    }
    QCOMPARE(refreshed, 0);
    QTRY_COMPARE(refreshed, 1);
    QTest::qWait(60);
    QCOMPARE(refreshed, 1);
}

void DelayedRefreshTest::hiddenWidgetsWaitUntilShown()
{
    for (const RefreshTime time : {RefreshTime::SoonAfterFirst, RefreshTime::AfterRest}) {
        QWidget widget;
        int refreshed = 0;
        DelayedRefresh refresh(
            widget, 10, [&] { ++refreshed; }, time);
        refresh.request();
        QVERIFY(!refresh.isPending()); // nothing happens by itself
        QTest::qWait(60);
        QCOMPARE(refreshed, 0);
        widget.show();
        QTRY_COMPARE(refreshed, 1);
        widget.hide();
        widget.show(); // there was no request in between
        QTest::qWait(60);
        QCOMPARE(refreshed, 1);
    }
}

void DelayedRefreshTest::cancelForgets()
{
    QWidget widget;
    widget.show();
    int refreshed = 0;
    DelayedRefresh refresh(widget, 10, [&] { ++refreshed; });
    refresh.request();
    refresh.cancel();
    QVERIFY(!refresh.isPending());
    QTest::qWait(60);
    QCOMPARE(refreshed, 0);
}

void DelayedRefreshTest::oneClickNeedNotWait()
{
    QWidget widget;
    widget.show();
    int refreshed = 0;
    DelayedRefresh refresh(
        widget, 60'000, [&] { ++refreshed; }, RefreshTime::AfterRest);
    refresh.request();
    refresh.requestAtOnce();
    refresh.requestAtOnce();
    QTRY_COMPARE(refreshed, 1);
    QVERIFY(!refresh.isWanted());
}

WARPLINE_TEST(DelayedRefreshTest)

} // namespace tst_delayed_refresh

#include "tst_delayed_refresh.moc"
