// The terms of Warpline: each defined once, in order, in a sentence or two, and used in its texts.

#include "core/findings/rule.h"
#include "core/glossary/glossary.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <string>

namespace tst_glossary {

using namespace warpline;

namespace {

std::vector<std::string> termsOf(std::string_view text)
{
    std::vector<std::string> terms;
    for (const TermUse& use : termsIn(text))
        terms.emplace_back(use.entry->term);
    return terms;
}

using Terms = std::vector<std::string>;

} // namespace

class GlossaryTest : public QObject {
    Q_OBJECT

private slots:
    void isInOrderAndShort()
    {
        QVERIFY(glossary().size() >= 40 && glossary().size() <= 150);
        std::string last;
        std::set<std::string_view> seen;
        for (const GlossaryEntry& entry : glossary()) {
            const QString term
                = QString::fromUtf8(entry.term.data(), static_cast<qsizetype>(entry.term.size()));
            QVERIFY2(seen.insert(entry.term).second, qPrintable(term));
            const std::string lower = term.toLower().toStdString();
            QVERIFY2(last < lower, qPrintable(term));
            last = lower;
            const auto sentences = std::ranges::count(entry.text, '.') + std::ranges::count(entry.text, ':');
            QVERIFY2(
                sentences >= 1 && entry.text.size() < 260 && entry.text.ends_with('.'), qPrintable(term));
        }
    }

    void findsEverySpelling()
    {
        QCOMPARE(findTerm("SM")->term, std::string_view("multiprocessor"));
        QCOMPARE(findTerm("Theoretical occupancy")->term, std::string_view("occupancy"));
        QVERIFY(!findTerm("occupancies"));
        QVERIFY(!findTerm(""));
    }

    void findsTermsInText()
    {
        QCOMPARE(termsOf("1 block for 108 multiprocessors"), (Terms{"block", "multiprocessor"}));
        QCOMPARE(termsOf("Kernels run; a kernel waits"), (Terms{"kernel", "kernel"}));
        QCOMPARE(termsOf("copies on pageable memory"), (Terms{"pageable"}));
        QCOMPARE(termsOf("The launch latency of a launch"), (Terms{"launch latency", "launch"}));
        QCOMPARE(termsOf("is launch-bound"), (Terms{"launch-bound"}));
        QCOMPARE(termsOf("blockade mystreams warp_reduce"), Terms());
        QCOMPARE(termsOf(""), Terms());
        const auto uses = termsIn("\xc3\xbc steps");
        QCOMPARE(uses.size(), std::size_t{1});
        QCOMPARE(uses[0].begin, std::size_t{3});
        QCOMPARE(uses[0].length, std::size_t{5});
    }

    /// The rules' texts contain explained terms: the glossary covers Warpline's language.
    void explainsWhatTheRulesSay()
    {
        std::size_t explained = 0;
        for (const Rule* const rule : allRules())
            explained += termsIn(std::string(rule->title) + " " + std::string(rule->why)).empty() ? 0 : 1;
        QVERIFY(explained * 10 >= allRules().size() * 9);
    }
};

WARPLINE_TEST(GlossaryTest)

} // namespace tst_glossary

#include "tst_glossary.moc"
