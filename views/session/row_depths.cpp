#include "views/session/row_depths.h"

#include <algorithm>
#include <utility>

namespace warpline {

RowDepths::RowDepths(Session& session)
    : m_session(session)
{
    connect(&session, &Session::reportOpened, this, [this] { m_depths.clear(); });
    connect(&session, &Session::traceChanged, this, [this] { m_lanesInView.clear(); });
}

int RowDepths::usualOf(const Row& row)
{
    constexpr int usual = 16;
    constexpr std::uint32_t deep = 8;
    constexpr int ofDeepProjection = 4;
    const bool isProjected = !row.tracks.empty() && row.tracks.front().kind == EventKind::NvtxProjected;
    return isProjected && row.lanes > deep ? ofDeepProjection : usual;
}

int RowDepths::depth(RowId row) const
{
    const Row& of = m_session.rows().row(row);
    const auto found = m_depths.empty() ? m_depths.end() : m_depths.find(of.key);
    return found == m_depths.end() ? usualOf(of) : found->second;
}

int RowDepths::lanes(const Row& row) const
{
    constexpr std::uint32_t most = 1U << 20U;
    const auto all = static_cast<int>(std::clamp<std::uint32_t>(row.lanes, 1, most));
    if (raw(row.id) >= m_lanesInView.size())
        return all;
    return std::clamp(static_cast<int>(std::min(m_lanesInView[raw(row.id)], most)), 1, all);
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
