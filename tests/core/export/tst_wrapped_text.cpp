// Lines of text and columns of tables: letters that take two columns, and Chinese, which has no blanks.

#include "core/export/wrapped_text.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_wrapped_text {

using namespace warpline;

class WrappedTextTest : public QObject {
    Q_OBJECT

private slots:
    void wideLettersTakeTwoColumns();
    void wordsStayWhole();
    void chineseEndsBetweenLetters();
    void pathsStayWhole();
    void noLineIsTooLong();
    void linesFitTheTerminal();
};

void WrappedTextTest::wideLettersTakeTwoColumns()
{
    QCOMPARE(columnsOf("GPU 空闲"), std::size_t{8});
    QCOMPARE(columnsOf("µs – é"), std::size_t{6});
    QCOMPARE(columnsOf("e\u0301"), std::size_t{1}); // a mark on the letter before
    QCOMPARE(columnsOf("🚀"), std::size_t{2});
    QCOMPARE(columnsOf(""), std::size_t{0});
    QCOMPARE(firstLetterOf("空闲").bytes, std::string_view("空"));
}

void WrappedTextTest::wordsStayWhole()
{
    QCOMPARE(wrappedText("one two three", 8, 2), std::string("one two\n  three"));
    QCOMPARE(wrappedText("a-word-that-is-long b", 8, 2), std::string("a-word-that-is-long\n  b"));
    QCOMPARE(wrappedText("a  b", 8, 0), std::string("a  b"));
    QCOMPARE(wrappedText("x\n  code stays as it is", 8, 2), std::string("x\n    code stays as it is"));
}

/// No line begins with a full stop, and none ends with an opening bracket.
void WrappedTextTest::chineseEndsBetweenLetters()
{
    QCOMPARE(wrappedText("主机等待拷贝。", 8, 0), std::string("主机等待\n拷贝。"));
    QCOMPARE(wrappedText("主机等待。拷贝", 8, 0), std::string("主机等\n待。拷贝"));
    QCOMPARE(wrappedText("等待拷（完成）", 8, 0), std::string("等待拷\n（完成）"));
    QCOMPARE(wrappedText("等待 cudaMemcpy 调用", 8, 0), std::string("等待\ncudaMemcpy\n调用"));
}

/// For copying, also where folders have Chinese names.
void WrappedTextTest::pathsStayWhole()
{
    QCOMPARE(
        fittedText("文件 /数据/训练结果/甲.sqlite", 12), std::string("文件\n  /数据/训练结果/甲.sqlite"));
    QCOMPARE(wrappedText("文件 数据/训练结果（甲） 不存在", 12, 0),
        std::string("文件\n数据/训练结果（甲）\n不存在"));
    QCOMPARE(wrappedText("默认：/数据/训练结果。主机等待拷贝", 12, 0),
        std::string("默认：\n/数据/训练结果。\n主机等待拷贝"));
}

void WrappedTextTest::noLineIsTooLong()
{
    const std::string text
        = "在第一个与最后一个 kernel 或拷贝之间，GPU 空闲 12.3 ms（占这段时间的 3.8%），其间主机在调用中。";
    for (std::size_t width = 12; width < 100; ++width) {
        const std::string lines = wrappedText(text, width, 2);
        for (const QString& line : QString::fromStdString(lines).split("\n  "))
            QVERIFY2(columnsOf(line.toStdString()) <= width, lines.c_str());
        QCOMPARE(QString::fromStdString(lines).remove("\n  ").remove(' '),
            QString::fromStdString(text).remove(' '));
    }
}

void WrappedTextTest::linesFitTheTerminal()
{
    QCOMPARE(fittedText("one two three\nshort\n", 8), std::string("one two\n  three\nshort\n"));
    QCOMPARE(fittedText("  a-word-that-is-long  b", 8), std::string("  a-word-that-is-long\n    b"));
    QCOMPARE(fittedText("a  b  three   ", 8), std::string("a  b\n  three"));
    QCOMPARE(fittedText("主机等待拷贝。", 8), std::string("主机等待\n  拷贝。"));
    QCOMPARE(fittedText("主机等待。拷贝", 8), std::string("主机等\n  待。拷\n  贝"));
    QCOMPARE(fittedText("等待 cudaMemcpy 调用", 8), std::string("等待\n  cudaMemcpy\n  调用"));
}

WARPLINE_TEST(WrappedTextTest)

} // namespace tst_wrapped_text

#include "tst_wrapped_text.moc"
