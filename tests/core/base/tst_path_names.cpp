// Paths in URIs.

#include "core/base/path_names.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <string_view>

namespace tst_path_names {

using namespace warpline;

class PathNamesTest : public QObject {
    Q_OBJECT

private slots:
    void bytesThatAUriLacksAreEncoded()
    {
        using namespace std::string_view_literals;
        QCOMPARE(percentEncoded("a B_9", ""), std::string("a%20B_9"));
        QCOMPARE(percentEncoded("/a-b?c#d%", "/-"), std::string("/a-b%3Fc%23d%25"));
        QCOMPARE(percentEncoded("\xC3\xA9\0\x7F"sv, "/"), std::string("%C3%A9%00%7F"));
    }
};

WARPLINE_TEST(PathNamesTest)

} // namespace tst_path_names

#include "tst_path_names.moc"
