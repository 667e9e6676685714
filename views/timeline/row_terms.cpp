#include "views/timeline/row_filter.h"

#include <algorithm>

namespace warpline {

RowTerms::RowTerms(const QString& text)
{
    QString rest = text;
    std::vector<QRegularExpression> expressions;
    static const QRegularExpression quoted("/([^/]+)/");
    for (auto match = quoted.match(rest); match.hasMatch(); match = quoted.match(rest)) {
        const QRegularExpression each(match.captured(1), QRegularExpression::CaseInsensitiveOption);
        m_sound = m_sound && each.isValid();
        if (each.isValid())
            m_wanted.push_back({{}, {each}});
        rest.remove(match.capturedStart(), match.capturedLength());
    }
    for (const QString& part : rest.split(',')) {
        Alternative alternative;
        for (const QString& word : part.split(' ', Qt::SkipEmptyParts)) {
            if (word.startsWith('-') && word.size() > 1)
                m_unwanted << word.mid(1);
            else if (word != "-")
                alternative.words << word;
        }
        if (!alternative.words.isEmpty())
            m_wanted.push_back(std::move(alternative));
    }
}

bool RowTerms::accepts(const QString& path) const
{
    const auto holds = [&](const QString& word) { return path.contains(word, Qt::CaseInsensitive); };
    if (std::ranges::any_of(m_unwanted, holds))
        return false;
    return m_wanted.empty() || std::ranges::any_of(m_wanted, [&](const Alternative& each) {
        return std::ranges::all_of(each.words, holds)
            && std::ranges::all_of(
                each.expressions, [&](const QRegularExpression& one) { return one.match(path).hasMatch(); });
    });
}

} // namespace warpline
