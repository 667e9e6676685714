#pragma once

namespace warpline::platform {

/// Lets a program with a window print into the terminal that started it: on Windows such a program has none.
/// Files and pipes that were given stay. Elsewhere it only cares for those that are closed, as
/// prepareOutput() does.
void joinTerminal();

} // namespace warpline::platform
