#pragma once

#include "core/base/message.h"
#include "core/base/time.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <string_view>

namespace warpline {

/// Text of a report or of core; invalid UTF-8 is replaced. Texts longer than any compiler's name are elided
/// in the middle, because Qt takes a second to measure a megabyte.
QString textOf(std::string_view text);
/// The same, however long: for clipboard, filters and documents.
QString wholeTextOf(std::string_view text);
/// formatDuration().
QString durationText(Ns duration);
QString durationText(double ns);
/// formatCount().
QString numberText(std::uint64_t count);
/// formatShare().
QString shareText(double share);
/// roundedDuration(): in sentences.
QString roundedText(Ns duration);

// Text for labels, tooltips and browsers with rich text. Names and values contain what HTML reads as tags:
// "scan<int>", "<0.1%".

/// textOf(), as it stands between tags.
QString htmlOf(std::string_view text);
/// `message` in the language of the program, as it stands between tags.
QString richTextOf(const Message& message);
/// `message` in the language of the program, as plain text.
QString plainTextOf(const Message& message);
/// formatDuration(), formatShare(), formatCount() for rich text.
QString durationHtml(Ns duration);
QString shareHtml(double share);
QString countHtml(std::uint64_t count);
/// "title: text", as the language writes it; of rich text as well.
QString titledText(const QString& title, const QString& text);
/// `text` escaped, with line breaks only at its blanks: Chinese words stay whole.
QString joinedHtml(const QString& text);
/// The same on one line, for entries of a legend.
QString unbrokenHtml(const QString& text);
/// The entries of a legend apart from each other; no line begins with a blank.
QString spacedHtml(const QStringList& entries);
/// Plain text in which no line ends inside an option: "--pytorch=autograd-nvtx".
QString unbrokenOptions(const QString& text);
/// A tool tip that shows `text` as it is: Qt takes one that looks like rich text for such.
QString plainTip(const QString& text);
/// `text` of at most `most` characters, elided in the middle, because template kernels differ at their ends.
QString elidedInMiddle(const QString& text, qsizetype most);

} // namespace warpline
