#pragma once

namespace warpline::platform {

/// Lets a program with a window print into the terminal that started it: on Windows such a program has none.
/// Files and pipes that were given stay. Elsewhere, as prepareOutput() does, it only keeps the numbers of
/// closed standard files in use.
void joinTerminal();

} // namespace warpline::platform
