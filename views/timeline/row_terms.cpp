#include "views/timeline/row_filter.h"

#include "core/base/regular_expression.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpline {

namespace {

// A stranger's view brings filters, and each row is tested in the window's thread.
constexpr qsizetype longestText = 2'000; ///< letters
constexpr std::size_t maxTerms = 100;
constexpr std::size_t maxExpressions = 4;

} // namespace

RowTerms::RowTerms(const QString& text)
    : m_sound(text.size() <= longestText)
{
    QString rest = text.left(longestText);
    static const QRegularExpression quoted("/([^/]+)/");
    for (auto match = quoted.match(rest); match.hasMatch(); match = quoted.match(rest)) {
        if (m_wanted.size() == maxExpressions) {
            m_sound = false;
            break;
        }
        // Not Qt's, which may take for ever: a stranger's view brings filters.
        auto each = std::make_shared<RegularExpression>(match.captured(1).toStdString());
        m_sound = m_sound && !each->mistake();
        if (!each->mistake())
            m_wanted.push_back({{}, std::move(each)});
        rest.remove(match.capturedStart(), match.capturedLength());
    }
    for (const QString& part : rest.split(',')) {
        if (m_wanted.size() + static_cast<std::size_t>(m_unwanted.size()) >= maxTerms) {
            m_sound = false;
            break;
        }
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

bool RowTerms::isSound() const
{
    return m_sound && std::ranges::none_of(m_wanted, [](const Alternative& each) {
        return each.expression && each.expression->isExhausted();
    });
}

bool RowTerms::accepts(const QString& path) const
{
    const auto holds = [&](const QString& word) { return path.contains(word, Qt::CaseInsensitive); };
    if (std::ranges::any_of(m_unwanted, holds))
        return false;
    return m_wanted.empty() || std::ranges::any_of(m_wanted, [&](const Alternative& each) {
        if (!each.expression)
            return std::ranges::all_of(each.words, holds);
        return each.expression->isIn(path.toStdString()) || each.expression->isExhausted();
    });
}

} // namespace warpline
