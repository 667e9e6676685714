#pragma once

#include <QString>

#include <optional>

namespace warpline {

/// How well `pattern` abbreviates `text`: each of its words must match letter by letter in order, ignoring
/// case. Higher is better: for letters at the begin of words, adjacent letters, and short texts. Nothing when
/// it does not match; 0 for an empty pattern.
std::optional<int> fuzzyScore(const QString& text, const QString& pattern);

} // namespace warpline
