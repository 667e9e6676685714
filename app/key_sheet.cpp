#include "app/key_sheet.h"

#include "app/actions/all_actions.h"
#include "views/actions/action_keys.h"

#include <QCoreApplication>

namespace warpline {

std::vector<KeyLine> keyLines()
{
    std::vector<KeyLine> lines;
    for (const Gesture& gesture : allGestures())
        lines.push_back({QCoreApplication::translate("Action", gesture.mouse),
            QCoreApplication::translate("Action", gesture.help)});
    for (const Action* const action : allActions()) {
        const QString keys = keysText(keysOf(*action));
        if (!keys.isEmpty())
            lines.push_back({keys, helpText(*action)});
    }
    return lines;
}

QString keySheetHtml()
{
    QString html = "<table cellpadding=2>";
    for (const KeyLine& line : keyLines())
        html += "<tr><td style='padding-right:14px'><b>" + line.keys.toHtmlEscaped().replace(' ', "&nbsp;")
            + "</b></td><td>" + line.help.toHtmlEscaped() + "</td></tr>";
    return html + "</table>";
}

} // namespace warpline
