#include "tests/support/source_texts.h"

#include <QDir>
#include <QDirIterator>
#include <QRegularExpression>

namespace warpline::test {

QList<SourceText> literalsOf(const QString& path, const QString& source)
{
    static const QRegularExpression token(
        R"re(R"(\w*)\((.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"|//[^\n]*|'(?:[^'\\]|\\.)'|/\*.*?\*/)re",
        QRegularExpression::DotMatchesEverythingOption);
    QList<SourceText> texts;
    qsizetype end = -1;
    for (const auto& match : token.globalMatch(source)) {
        if (!match.hasCaptured(2) && !match.hasCaptured(3))
            continue;
        const QString text = match.captured(2) + match.captured(3);
        const qsizetype from = std::max<qsizetype>(end, 0);
        const QString between = source.mid(from, match.capturedStart() - from).trimmed();
        if (end >= 0 && between.isEmpty())
            texts.back().text += text;
        else
            texts.append({path + ':' + QString::number(source.left(match.capturedStart()).count('\n') + 1),
                text, between});
        end = match.capturedEnd();
    }
    return texts;
}

const QList<SourceText>& englishSources()
{
    static const QList<SourceText> sources = [] {
        QList<SourceText> all;
        for (const QString folder : {"app", "core", "views"}) {
            QDirIterator it(WARPLINE_SOURCE_DIR "/" + folder, {"*.cpp", "*.h"}, QDir::Files,
                QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QFile file(it.next());
                const QString path = QDir(WARPLINE_SOURCE_DIR).relativeFilePath(file.fileName());
                if (!path.startsWith("core/render/zh_") && file.open(QIODevice::ReadOnly))
                    all.append({path, QString::fromUtf8(file.readAll())});
            }
        }
        return all;
    }();
    return sources;
}

} // namespace warpline::test
