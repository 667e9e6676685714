#pragma once

#include "core/render/render.h"
#include "core/table/cells.h"

#include <functional>
#include <string>
#include <string_view>

namespace warpline {

/// The beginning of a page up to its heading: light or dark like the reader's system, with the colours
/// var(--less), var(--more), var(--sum), var(--a) and var(--b), and the class "verdict" for the main result.
std::string htmlHead(std::string_view title);

/// `cells` as a table, in a box that scrolls when it is wider than the page. Numbers have the class "n". A
/// row's class is the first word of its first cell: its state, in tables that have one.
std::string htmlTable(const Cells& keys);
/// The same of `cells` that were made from `keys` for readers: the classes are of `keys`.
std::string htmlTable(const Cells& cells, const Cells& keys);

/// The parts of a page, in order.
struct TextPage {
    std::function<void(const std::string&)> verdict = [](const auto&) {}; ///< the main result, first
    std::function<void(const std::string&)> title;
    std::function<void(const std::string&)> text;
    std::function<void(const Cells&)> table;
    std::function<void(const Cells&)> nsysTable = [](const auto&) {}; ///< its heads are nsys'
    std::function<void()> picture = [] {}; ///< writes the pictures; not in text
};
/// Appends the parts to `html`, which outlives it; without pictures.
TextPage htmlPage(std::string& html);

/// The language of a page, as its attribute has it: "en", "zh-CN".
std::string pageLanguage();

/// The beginning of an inline picture, with a text alternative.
std::string svgHead(double width, double height, std::string_view title, std::string_view classes = {});
/// A line of text in it; `anchor` is "start", "middle" or "end".
std::string svgText(
    double x, double y, std::string_view anchor, std::string_view words, std::string_view classes = {});

} // namespace warpline
