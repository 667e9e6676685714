#include "views/session/row_depths.h"

#include <algorithm>

namespace warpline {

RowDepths::RowDepths(Session& session)
    : QObject(&session),
      m_session(session)
{
    connect(&session, &Session::reportOpened, this, [this] { m_depths.clear(); });
}

RowDepths& RowDepths::of(Session& session)
{
    auto* const known = session.findChild<RowDepths*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new RowDepths(session); // the session deletes it
}

int RowDepths::depthIn(const Session& session, RowId row)
{
    const auto* const known = session.findChild<RowDepths*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? known->depth(row) : usual;
}

int RowDepths::depth(RowId row) const
{
    if (m_depths.empty())
        return usual;
    const auto found = m_depths.find(m_session.rows().row(row).key);
    return found == m_depths.end() ? usual : found->second;
}

void RowDepths::setDepth(RowId row, int depth)
{
    depth = std::max(1, depth);
    if (depth == this->depth(row))
        return;
    m_depths[m_session.rows().row(row).key] = depth;
    emit m_session.rowLayoutChanged();
}

} // namespace warpline
