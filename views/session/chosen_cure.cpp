#include "views/session/chosen_cure.h"

#include "views/session/session.h"

#include <utility>

namespace warpline {

ChosenCure::ChosenCure(Session& session)
    : m_session(session)
{
    // A finding's cure does not apply to another report.
    const auto follow = [this] {
        if (!m_title.isEmpty() && m_of.lock() != m_session.sharedTrace())
            choose({}, {});
    };
    connect(&session, &Session::reportChosen, this, follow);
    connect(&session, &Session::traceChanged, this, follow);
}

void ChosenCure::choose(QString title, Cure cure)
{
    m_title = std::move(title);
    m_cure = std::move(cure);
    m_of = m_session.sharedTrace();
    emit chosen();
}

} // namespace warpline
