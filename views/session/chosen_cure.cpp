#include "views/session/chosen_cure.h"

#include "views/session/session.h"

#include <utility>

namespace warpline {

ChosenCure::ChosenCure(Session& session)
{
    // A finding's cure does not apply to another report.
    connect(&session, &Session::reportChosen, this, [this] { choose({}, {}); });
}

void ChosenCure::choose(QString title, Cure cure)
{
    m_title = std::move(title);
    m_cure = std::move(cure);
    emit chosen();
}

} // namespace warpline
