// What a log of problems keeps of a stranger's names.

#include "core/import/import_log.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace tst_import_log {

using namespace warpline;

class ImportLogTest : public QObject {
    Q_OBJECT

private slots:
    void namesOfAFileHaveLimits()
    {
        ImportLog log;
        log.add(std::string(1'000'000, 'a'), ProblemKind::EventWithoutTime, 2);
        for (int i = 0; i < 1000; ++i)
            log.add("table " + std::to_string(i), ProblemKind::EventWithoutTime);
        log.add("table 7", ProblemKind::EventWithoutTime);
        const std::vector<Problem> problems = log.problems();
        QCOMPARE(problems.size(), std::size_t{200});
        const auto countOf = [&](std::string_view table) {
            const auto found = std::ranges::find(problems, table, &Problem::table);
            return found != problems.end() ? found->count : 0;
        };
        QCOMPARE(countOf("table 7"), std::uint64_t{2});
        QCOMPARE(countOf("table 900"), std::uint64_t{0});
        QCOMPARE(countOf(otherTables), std::uint64_t{2 + 1000 - 199});
    }
};

WARPLINE_TEST(ImportLogTest)

} // namespace tst_import_log

#include "tst_import_log.moc"
