#pragma once

#include <QString>

#include <optional>

namespace warpline {

/// How well `pattern` stands for `text`, as people abbreviate: each of its words must be found in order,
/// letter by letter, without regard to case. Higher is better: for letters that begin a word, that stand
/// together, and for short texts. Nothing when it does not stand for it; 0 for an empty pattern.
std::optional<int> fuzzyScore(const QString& text, const QString& pattern);

} // namespace warpline
