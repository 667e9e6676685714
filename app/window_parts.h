#pragma once

class QMainWindow;
class QWidget;

namespace warpline {

/// Gives the keyboard to the next part of `window`, or the one before: the timeline, the search field and the
/// panels that are in front, in this order and around.
void focusNextPart(QMainWindow& window, QWidget& timeline, QWidget& search, bool forward);

/// Gives the keyboard to `part`, or the first in it that takes it; false when nothing does.
bool giveKeyboard(QWidget& part);

} // namespace warpline
