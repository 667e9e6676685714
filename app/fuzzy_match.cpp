#include "app/fuzzy_match.h"

#include <QStringList>

#include <algorithm>
#include <limits>
#include <vector>

namespace warpline {

namespace {

constexpr int ofLetter = 1;
constexpr int ofNeighbour = 10; ///< next to the previous letter
constexpr int ofWordStart = 8;
constexpr int ofWhole = 40; ///< an exact word
constexpr int none = std::numeric_limits<int>::min() / 2;

bool beginsWord(const QString& text, qsizetype at)
{
    if (at == 0)
        return true;
    const QChar before = text[at - 1];
    return !before.isLetterOrNumber() || (before.isLower() && text[at].isUpper());
}

/// Whether the letters are there in order at all: most texts are ruled out here.
bool hasInOrder(const QString& lowered, const QString& word)
{
    qsizetype next = 0;
    for (const QChar letter : lowered)
        next += next < word.size() && letter == word[next] ? 1 : 0;
    return next == word.size();
}

/// The best match of `word` in `text`: `best[j]` is the score of the letters up to here, with the last at j.
std::optional<int> scoreOfWord(const QString& text, const QString& lowered, const QString& word)
{
    if (!hasInOrder(lowered, word))
        return std::nullopt;
    const auto length = static_cast<std::size_t>(text.size());
    std::vector<int> best(length, none);
    for (qsizetype i = 0; i < word.size(); ++i) {
        std::vector<int> next(length, none);
        int bestBefore = i == 0 ? 0 : none; // of the letters before, anywhere left of j
        for (std::size_t j = 0; j < length; ++j) {
            const auto at = static_cast<qsizetype>(j);
            if (lowered[at] == word[i]) {
                int score = bestBefore;
                if (i > 0 && j > 0)
                    score = std::max(score, best[j - 1] + ofNeighbour);
                if (score > none / 2)
                    next[j] = score + ofLetter + (beginsWord(text, at) ? ofWordStart : 0);
            }
            if (i > 0)
                bestBefore = std::max(bestBefore, best[j]);
        }
        best.swap(next);
    }
    const auto found = std::ranges::max_element(best);
    if (found == best.end() || *found < 0)
        return std::nullopt;
    return *found + (lowered.contains(word) ? ofWhole : 0);
}

} // namespace

std::optional<int> fuzzyScore(const QString& text, const QString& pattern)
{
    constexpr qsizetype longest = 200; // longer texts are not searched
    const QString shown = text.left(longest);
    const QString lowered = shown.toLower();
    if (lowered.size() != shown.size()) // a letter that is two in lower case: places would not agree
        return lowered.contains(pattern.toLower()) ? std::optional(0) : std::nullopt;
    int sum = 0;
    const QStringList words = pattern.toLower().split(' ', Qt::SkipEmptyParts);
    for (const QString& word : words) {
        const auto score = scoreOfWord(shown, lowered, word);
        if (!score)
            return std::nullopt;
        sum += *score;
    }
    constexpr int lengthsOfOnePoint = 16;
    return words.isEmpty() ? 0 : sum * lengthsOfOnePoint - static_cast<int>(shown.size());
}

} // namespace warpline
