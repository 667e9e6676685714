#include "views/panels/panel.h"

#include <QSettings>

namespace warpline {

Panel::Panel(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session)
{
    connect(&session, &Session::traceChanged, this, [this] {
        if (m_session.trace().complete)
            showReport();
        else
            clear();
    });
}

void Panel::setTheme(const Theme&) { }

void Panel::saveState(QSettings&) const { }

void Panel::restoreState(const QSettings&) { }

} // namespace warpline
