#pragma once

namespace warpline {

/// Points of all text that the user chose in the preferences; 0: as the desktop has it.
int chosenTextSize();
inline constexpr int minTextSize = 8;
inline constexpr int maxTextSize = 18;

/// Gives the program that size, or the desktop's. Existing widgets follow only in part, so the window is
/// recreated.
void applyTextSize();

/// False: another one was chosen since applyTextSize().
bool hasChosenTextSize();

} // namespace warpline
