// Suggestions for names that do not exist.

#include "core/base/near_names.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_near_names {

using namespace warpline;

class NearNamesTest : public QObject {
    Q_OBJECT

private slots:
    void editsAreCounted()
    {
        QCOMPARE(editsBetween("", "abc"), std::size_t{3});
        QCOMPARE(editsBetween("stream", "strem"), std::size_t{1});
        QCOMPARE(editsBetween("stream", "tsream"), std::size_t{1}); // neighbours swapped
        QCOMPARE(editsBetween("kitten", "sitting"), std::size_t{3});
        QCOMPARE(editsBetween("same", "same"), std::size_t{0});
    }

    void theLikeliestComesFirst()
    {
        const std::vector<std::string> names{"start", "end", "duration", "name", "short_name", "stream",
            "grid_x", "grid_y", "registers", "static_shared"};
        const auto first = [&](std::string_view wanted) {
            const auto near = nearNames(wanted, names);
            return near.empty() ? std::string() : near.front();
        };
        QCOMPARE(first("shortname"), std::string("short_name"));
        QCOMPARE(first("ShortName"), std::string("short_name"));
        QCOMPARE(first("gridX"), std::string("grid_x"));
        QCOMPARE(first("strem"), std::string("stream"));
        QCOMPARE(first("duratoin"), std::string("duration"));
        QCOMPARE(first("streamId"), std::string("stream"));
        QCOMPARE(first("kernel_name"), std::string("name"));
        QCOMPARE(first("lenght"), std::string()); // nothing is like it
        QCOMPARE(first(""), std::string());
        QCOMPARE(nearNames("short_name", names).size(), std::size_t{1}); // itself, and nothing else
        QVERIFY(nearNames("grid", names, 1).size() == 1);
        QVERIFY(nearNames(std::string(100'000, 'x'), names).empty());
        const std::vector<std::string> twice{"name", "name"};
        QCOMPARE(nearNames("nam", twice).size(), std::size_t{1});
    }
};

WARPLINE_TEST(NearNamesTest)

} // namespace tst_near_names

#include "tst_near_names.moc"
