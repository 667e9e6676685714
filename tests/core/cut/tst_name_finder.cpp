// Names in a text are found as if each was looked for.

#include "core/cut/name_finder.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

namespace tst_name_finder {

using namespace warpline;

namespace {

/// Looks for each name at each place.
std::string replacedOneByOne(const std::set<std::string>& names, std::string_view text)
{
    std::vector<bool> inName(text.size() + 1); // the letter is of a name
    std::vector<bool> joined(text.size() + 1); // a name goes on from the letter before
    for (const std::string& name : names) {
        for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
            for (std::size_t i = at; i < at + name.size(); ++i) {
                inName[i] = true;
                joined[i] = joined[i] || i > at;
            }
        }
    }
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!inName[i])
            result += text[i];
        else if (!joined[i])
            result += '#';
    }
    return result;
}

} // namespace

class NameFinderTest : public QObject {
    Q_OBJECT

private slots:
    void findsWhatEachNameFinds()
    {
        std::mt19937 random(5);
        const auto words = [&](std::size_t most) {
            std::string text;
            for (std::size_t size = 1 + random() % most; text.size() < size;)
                text += "ab\xff"[random() % 3];
            return text;
        };
        for (int round = 0; round < 3000; ++round) {
            std::set<std::string> names;
            for (std::size_t count = random() % 8; names.size() < count;)
                names.insert(words(5));
            const std::string text = words(40);
            QCOMPARE(NameFinder(names).replaced(text, "#"), replacedOneByOne(names, text));
        }
        QCOMPARE(NameFinder({"anna", "joanna2"}).replaced("joanna2, anna, annaanna", "#"),
            std::string("#, #, ##"));
        QCOMPARE(NameFinder({}).replaced("anna", "#"), std::string("anna"));
    }
};

WARPLINE_TEST(NameFinderTest)

} // namespace tst_name_finder

#include "tst_name_finder.moc"
