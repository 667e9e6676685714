#include "views/style/rich_text.h"

#include "core/base/both_ends.h"
#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/utf8.h"
#include "core/render/render.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QTextBoundaryFinder>

#include <algorithm>

namespace warpline {

namespace {

constexpr QChar joiner(0x2060); ///< between two letters: no line ends there

} // namespace

QString textOf(std::string_view text)
{
    return wholeTextOf(bothEnds(text, longestShown));
}

QString wholeTextOf(std::string_view text)
{
    return QString::fromStdString(toUtf8(text));
}

QString durationText(Ns duration)
{
    return QString::fromStdString(formatDuration(duration));
}

QString durationText(double ns)
{
    return durationText(wholeNs(ns));
}

QString numberText(std::uint64_t count)
{
    return QString::fromStdString(formatCount(count));
}

QString shareText(double share)
{
    return QString::fromStdString(formatShare(share));
}

QString roundedText(Ns duration)
{
    return QString::fromStdString(roundedDuration(duration));
}

QString htmlOf(std::string_view text)
{
    return textOf(text).toHtmlEscaped();
}

QString richTextOf(const Message& message)
{
    return QString::fromStdString(render(message, Markup::Html));
}

QString plainTextOf(const Message& message)
{
    return textOf(plain(message));
}

QString durationHtml(Ns duration)
{
    return htmlOf(formatDuration(duration));
}

QString shareHtml(double share)
{
    return htmlOf(formatShare(share));
}

QString countHtml(std::uint64_t count)
{
    return htmlOf(formatCount(count));
}

QString titledText(const QString& title, const QString& text)
{
    return QCoreApplication::translate("Warpline", "%1: %2").arg(title, text);
}

QString joinedHtml(const QString& text)
{
    constexpr char16_t firstWide = 0x2e80; // of Chinese letters and their punctuation
    QString joined;
    for (qsizetype i = 0; i < text.size(); ++i) {
        joined += text[i];
        const bool isLast = i + 1 == text.size() || text[i] == ' ' || text[i + 1] == ' ';
        if (!isLast && !text[i].isHighSurrogate()
            && std::max(text[i].unicode(), text[i + 1].unicode()) >= firstWide)
            joined += joiner;
    }
    return joined.toHtmlEscaped();
}

QString unbrokenHtml(const QString& text)
{
    return joinedHtml(text).replace(' ', "&nbsp;");
}

QString spacedHtml(const QStringList& entries)
{
    return entries.join("&nbsp;&nbsp; ");
}

QString unbrokenOptions(const QString& text)
{
    static const QRegularExpression option("--\\w\\S*");
    QString joined;
    qsizetype end = 0;
    for (const QRegularExpressionMatch& match : option.globalMatch(text)) {
        joined += text.sliced(end, match.capturedStart() - end)
            + match.captured().replace('-', QString('-') + joiner);
        end = match.capturedEnd();
    }
    return joined + text.sliced(end);
}

QString plainTip(const QString& text)
{
    return text.isEmpty()
        ? QString()
        : "<p style='white-space:pre-wrap'>" + text.toHtmlEscaped().replace('\n', "<br>") + "</p>";
}

QString elidedInMiddle(const QString& text, qsizetype most)
{
    if (text.size() <= most || most < 3)
        return text;
    // Not inside a surrogate pair or a letter with its accents: half of it would be drawn as a box.
    QTextBoundaryFinder letters(QTextBoundaryFinder::Grapheme, text);
    const auto beginOf = [&letters](qsizetype at) {
        letters.setPosition(at);
        return letters.isAtBoundary() ? at : letters.toPreviousBoundary();
    };
    const qsizetype left = beginOf((most - 1) / 2);
    qsizetype right = beginOf(text.size() - (most - 1 - left));
    if (text.size() - right > most - 1 - left)
        right = letters.toNextBoundary();
    return text.left(left) + QChar(0x2026) + text.mid(right);
}

} // namespace warpline
