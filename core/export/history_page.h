#pragma once

#include "core/export/history_text.h"
#include "core/render/render.h"

#include <functional>
#include <string>

namespace warpline {

/// The parts of a history's page, in order.
struct HistoryPage {
    std::function<void(const std::string&)> verdict;
    std::function<void(const std::string&)> title;
    std::function<void(const std::string&)> text;
    std::function<void(const Cells&)> table;
    std::function<void()> picture; ///< where the pictures go
};

/// Hands the parts of the history to `page`, the verdict first.
void writeHistoryPage(const HistoryText& text, const HistoryPage& page);

/// The median and the mean step of each recording as dots, the levels as lines, and where they change.
std::string levelsSvg(const History& history);
/// The mean step of each recording as a bar of its parts; the largest by name, and the rest together.
std::string budgetsSvg(const History& history);

} // namespace warpline
