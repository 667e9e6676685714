// Copies share their items until one of them changes.

#include "core/base/shared_list.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_shared_list {

using namespace warpline;

class SharedListTest : public QObject {
    Q_OBJECT

private slots:
    void aCopySharesUntilItChanges()
    {
        SharedList<int> list{1, 2};
        SharedList<int> copy = list;
        QCOMPARE(&copy.front(), &list.front());
        copy.push_back(3);
        QCOMPARE(list, (SharedList<int>{1, 2}));
        QCOMPARE(copy, (SharedList<int>{1, 2, 3}));
        list.clear();
        QVERIFY(list.empty());
        QCOMPARE(copy.size(), std::size_t{3});
        list.push_back(4);
        QCOMPARE(list.back(), 4);
    }
};

WARPLINE_TEST(SharedListTest)

} // namespace tst_shared_list

#include "tst_shared_list.moc"
