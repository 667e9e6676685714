#pragma once

#include <QString>

#include <vector>

namespace warpline {

/// A line of the sheet of keys.
struct KeyLine {
    QString keys; ///< "F8 or N"
    QString help; ///< "Show the next evidence of the finding"
    QString group; ///< "Move and zoom"
};

/// All gestures of the mouse and all actions that have keys, as the user set them: group by group, those of
/// the hand on the timeline first; within a group the mouse first.
std::vector<KeyLine> keyLines();

/// The sheet as rich text.
QString keySheetHtml();

} // namespace warpline
