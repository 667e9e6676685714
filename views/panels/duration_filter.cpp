#include "views/panels/duration_filter.h"

#include "core/base/duration_text.h"

#include <limits>

namespace warpline {

namespace {

bool parseDuration(const QString& text, Ns& duration)
{
    const auto time = parseTime(text.toStdString());
    if (time.ok())
        duration = time.value();
    return time.ok() && duration >= 0;
}

} // namespace

bool parseDurationFilter(const QString& text, Ns& least, Ns& most)
{
    least = 0;
    most = std::numeric_limits<Ns>::max();
    const QString plain = text.trimmed();
    if (plain.isEmpty())
        return true;
    if (plain.startsWith('>'))
        return parseDuration(plain.mid(plain.startsWith(">=") ? 2 : 1), least);
    if (plain.startsWith('<'))
        return parseDuration(plain.mid(plain.startsWith("<=") ? 2 : 1), most);
    if (const auto dash = plain.indexOf('-'); dash > 0)
        return parseDuration(plain.left(dash), least) && parseDuration(plain.mid(dash + 1), most);
    return parseDuration(plain, least);
}

QString durationFilterText(Ns least, Ns most)
{
    if (most == std::numeric_limits<Ns>::max())
        return QString(">= %1ns").arg(least);
    return least <= 0 ? QString("<= %1ns").arg(most) : QString("%1ns - %2ns").arg(least).arg(most);
}

} // namespace warpline
