#pragma once

#include <QString>

#include <functional>

class QObject;

namespace warpline {

/// What the user chose in the preferences: whether views glide, where the desktop lets them.
bool motionIsChosen();

/// Tells `answer` whether the desktop wants things to move: at once as far as its style and its settings in
/// `configFolder` say, and once more where GNOME has to be asked and says no. Nothing is told after `context`
/// is gone.
void askDesktopForMotion(
    QObject& context, const QString& configFolder, const std::function<void(bool)>& answer);

} // namespace warpline
