// Words in names: found without regard to case, with a quick test by pairs of letters.

#include "core/base/ascii_case.h"
#include "core/base/words.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>
#include <string>

namespace tst_words {

using namespace warpline;

class WordsTest : public QObject {
    Q_OBJECT

private slots:
    void wordsAreFoundInAnyCase()
    {
        QVERIFY(containsWord("ncclDevKernel_AllReduce", "allreduce"));
        QVERIFY(containsWord("SGEMM", "sgemm"));
        QVERIFY(containsWord("sgemm_", "_"));
        QVERIFY(!containsWord("anything", ""));
        QVERIFY(!containsWord("", "a"));
        QVERIFY(!containsWord("gem", "gemm"));
        QVERIFY(!containsWord("allreduc", "allreduce"));
    }

    /// Agrees with a search through lower-case text: no existing word is missed.
    void thousandsAreAsASearchFindsThem()
    {
        std::mt19937 random(7);
        const auto text = [&](std::size_t longest) {
            std::string made(random() % (longest + 1), ' ');
            for (char& c : made)
                c = "aAbB_1"[random() % 6];
            return made;
        };
        int found = 0;
        for (int i = 0; i < 20'000; ++i) {
            const std::string name = text(12);
            const std::string word = lowered(text(4));
            const bool isThere = lowered(name).find(word) != std::string::npos;
            QCOMPARE(containsWord(name, word), isThere && !word.empty());
            QVERIFY(!isThere || (pairsOf(word) & ~pairsOf(lowered(name))) == 0);
            found += isThere;
        }
        QVERIFY(found > 1000);
        QVERIFY((pairsOf("gemm") & ~pairsOf("relu_forward")) != 0);
    }
};

WARPLINE_TEST(WordsTest)

} // namespace tst_words

#include "tst_words.moc"
