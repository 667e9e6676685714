#include "views/session/row_depths.h"

#include <algorithm>
#include <utility>

namespace warpline {

RowDepths::RowDepths(Session& session)
    : QObject(&session),
      m_session(session)
{
    connect(&session, &Session::reportOpened, this, [this] { m_depths.clear(); });
    connect(&session, &Session::traceChanged, this, [this] { m_lanesInView.clear(); });
}

RowDepths& RowDepths::of(Session& session)
{
    auto* const known = session.findChild<RowDepths*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new RowDepths(session); // the session deletes it
}

int RowDepths::usualOf(const Row& row)
{
    constexpr int usual = 16;
    constexpr std::uint32_t deep = 8;
    constexpr int ofDeepProjection = 4;
    const bool isProjected = !row.tracks.empty() && row.tracks.front().kind == EventKind::NvtxProjected;
    return isProjected && row.lanes > deep ? ofDeepProjection : usual;
}

int RowDepths::depthIn(const Session& session, RowId row)
{
    const auto* const known = session.findChild<RowDepths*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? known->depth(row) : usualOf(session.rows().row(row));
}

int RowDepths::depth(RowId row) const
{
    const Row& of = m_session.rows().row(row);
    const auto found = m_depths.empty() ? m_depths.end() : m_depths.find(of.key);
    return found == m_depths.end() ? usualOf(of) : found->second;
}

int RowDepths::lanesIn(const Session& session, const Row& row)
{
    constexpr std::uint32_t most = 1U << 20U;
    const auto all = static_cast<int>(std::clamp<std::uint32_t>(row.lanes, 1, most));
    const auto* const known = session.findChild<RowDepths*>(QString(), Qt::FindDirectChildrenOnly);
    if (!known || raw(row.id) >= known->m_lanesInView.size())
        return all;
    return std::clamp(static_cast<int>(std::min(known->m_lanesInView[raw(row.id)], most)), 1, all);
}

void RowDepths::setLanesInView(std::vector<std::uint32_t> lanes)
{
    if (lanes == m_lanesInView)
        return;
    m_lanesInView = std::move(lanes);
    emit m_session.rowLayoutChanged();
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
