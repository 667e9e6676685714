// The texts of the sources, read from the sources: what is between quotes.
#pragma once

#include <QList>
#include <QString>

namespace warpline::test {

struct SourceText {
    QString place; ///< "core/overview/overview.cpp:41"; of a whole file its path
    QString text;
    QString before = {}; ///< what is between it and the text before, trimmed
};

/// What is between quotes in `source`, adjacent quotes joined, as it is written: with its escapes. Of
/// comments and characters nothing.
QList<SourceText> literalsOf(const QString& path, const QString& source);

/// The sources of the programs but for translations, as texts of their own.
const QList<SourceText>& englishSources();

} // namespace warpline::test
