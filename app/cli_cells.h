#pragma once

#include "app/cli_answer.h"
#include "core/stats/stats_table.h"

#include <functional>
#include <string>

namespace warpline::cli {

/// Adds `cells` in the format of `answer`: json, csv, markdown or else a table that fits the terminal. JSON
/// has them as `rows` after the keys of `head`. Cells of a table are shortened to `most` letters; 0: no
/// limit. Headers from the user stay as they are.
enum class Heads : std::uint8_t { Own, OfUser };
ExitCode addCells(
    Answer& answer, const Json& head, const Cells& cells, std::size_t most = 0, Heads heads = Heads::Own);

/// Adds CSV, Markdown or a table: `cells`, or for people the `text` that has more than these.
ExitCode addLines(Answer& answer, const Cells& cells, const std::function<std::string()>& text);

} // namespace warpline::cli
