#include "views/session/row_view.h"

#include "views/session/session.h"

#include <QSettings>

#include <algorithm>
#include <utility>

namespace warpline {

RowView::RowView(Session& session)
    : m_session(session)
{
    connect(&session, &Session::reportOpened, this, [this] { m_depths.clear(); });
    connect(&session, &Session::traceChanged, this, [this] { m_lanesInView.clear(); });
    m_states.reset(rows());
}

const RowTree& RowView::rows() const
{
    return m_session.rows();
}

bool RowView::isExpanded(RowId row) const
{
    return m_states[row].expanded.value_or(rows().row(row).expanded);
}

void RowView::setExpanded(RowId row, bool expanded)
{
    if (isExpanded(row) == expanded)
        return;
    m_states.setExpanded(row, expanded);
    emit rowLayoutChanged();
}

void RowView::setExpandedBelow(RowId row, bool expanded)
{
    bool changed = false;
    for (const RowId each : rows().subtree(row)) {
        if (isExpanded(each) == expanded)
            continue;
        m_states.setExpanded(each, expanded);
        changed = true;
    }
    if (changed)
        emit rowLayoutChanged();
}

void RowView::setHidden(RowId row, bool hidden)
{
    if (isHidden(row) == hidden)
        return;
    m_states.setHidden(row, hidden);
    emit rowLayoutChanged();
}

void RowView::showAllRows()
{
    if (!hidesRows())
        return;
    m_states.showAll();
    emit rowLayoutChanged();
}

void RowView::setPinned(RowId row, bool pinned)
{
    if (isPinned(row) == pinned)
        return;
    m_states.setPinned(row, pinned);
    emit rowLayoutChanged();
}

void RowView::setRowScale(RowId row, double scale)
{
    scale = std::clamp(scale, minScale, maxScale);
    if (scale == rowScale(row))
        return;
    m_states.setScale(row, scale);
    emit rowLayoutChanged();
}

void RowView::moveRow(RowId row, RowId before)
{
    const RowId parent = rows().row(row).parent;
    if (row == before || (before != RowTree::root && rows().row(before).parent != parent))
        return;
    std::vector<RowId> order;
    for (const RowId child : visibleChildren(parent)) {
        if (child == before)
            order.push_back(row);
        if (child != row)
            order.push_back(child);
    }
    if (before == RowTree::root)
        order.push_back(row);
    m_states.setOrder(order);
    emit rowLayoutChanged();
}

void RowView::setRowOrder(const std::vector<RowId>& siblings)
{
    if (siblings.empty())
        return;
    std::vector<RowId> shown = siblings;
    std::erase_if(shown, [this](RowId row) { return isHidden(row); });
    if (visibleChildren(rows().row(siblings.front()).parent) == shown)
        return;
    m_states.setOrder(siblings);
    emit rowLayoutChanged();
}

std::vector<RowId> RowView::visibleChildren(RowId row) const
{
    std::vector<RowId> children;
    for (const RowId child : rows().children(row)) {
        if (!isHidden(child))
            children.push_back(child);
    }
    std::ranges::stable_sort(children, {}, [&](RowId child) { return m_states[child].place; });
    return children;
}

void RowView::setRowStates(const RowStates::ByKey& states)
{
    m_states.reset(rows());
    m_states.add(states, rows());
    emit rowLayoutChanged();
}

void RowView::reveal(RowId row)
{
    if (row == RowTree::root)
        return;
    bool changed = false;
    for (RowId at = row; at != RowTree::root; at = rows().row(at).parent) {
        if (isHidden(at)) {
            m_states.setHidden(at, false);
            changed = true;
        }
        if (at != row && !isExpanded(at)) {
            m_states.setExpanded(at, true);
            changed = true;
        }
    }
    if (changed)
        emit rowLayoutChanged();
    emit revealed(row);
}

int RowView::usualDepth(const Row& row)
{
    constexpr int usual = 16;
    constexpr std::uint32_t deep = 8;
    constexpr int ofDeepProjection = 4;
    const bool isProjected = !row.tracks.empty() && row.tracks.front().kind == EventKind::NvtxProjected;
    return isProjected && row.lanes > deep ? ofDeepProjection : usual;
}

int RowView::depth(RowId row) const
{
    const Row& of = rows().row(row);
    const auto found = m_depths.empty() ? m_depths.end() : m_depths.find(of.key);
    return found == m_depths.end() ? usualDepth(of) : found->second;
}

int RowView::lanes(const Row& row) const
{
    constexpr std::uint32_t most = 1U << 20U;
    const auto all = static_cast<int>(std::clamp<std::uint32_t>(row.lanes, 1, most));
    if (raw(row.id) >= m_lanesInView.size())
        return all;
    return std::clamp(static_cast<int>(std::min(m_lanesInView[raw(row.id)], most)), 1, all);
}

void RowView::setLanesInView(std::vector<std::uint32_t> lanes)
{
    if (lanes == m_lanesInView)
        return;
    m_lanesInView = std::move(lanes);
    emit rowLayoutChanged();
}

void RowView::setDepth(RowId row, int depth)
{
    depth = std::max(1, depth);
    if (depth == this->depth(row))
        return;
    m_depths[rows().row(row).key] = depth;
    emit rowLayoutChanged();
}

void RowView::setDepths(std::unordered_map<std::string, int> depths)
{
    if (depths == m_depths)
        return;
    m_depths = std::move(depths);
    emit rowLayoutChanged();
}

void RowView::save(QSettings& settings) const
{
    const RowStates::ByKey kept = rowStates();
    settings.setValue("open", kept.open);
    settings.setValue("closed", kept.closed);
    settings.setValue("hidden", kept.hidden);
    settings.setValue("pinned", kept.pinned);
    QVariantMap scale;
    for (auto it = kept.scale.begin(); it != kept.scale.end(); ++it)
        scale[it.key()] = it.value();
    settings.setValue("scale", scale);
    QVariantMap order;
    for (auto it = kept.order.begin(); it != kept.order.end(); ++it)
        order[it.key()] = it.value();
    settings.setValue("order", order);
}

void RowView::restore(const QSettings& settings)
{
    if (!settings.contains("open"))
        return;
    RowStates::ByKey kept;
    kept.open = settings.value("open").toStringList();
    kept.closed = settings.value("closed").toStringList();
    kept.hidden = settings.value("hidden").toStringList();
    kept.pinned = settings.value("pinned").toStringList();
    const QVariantMap scale = settings.value("scale").toMap();
    for (auto it = scale.begin(); it != scale.end(); ++it)
        kept.scale.insert(it.key(), std::clamp(it.value().toDouble(), minScale, maxScale));
    const QVariantMap order = settings.value("order").toMap();
    for (auto it = order.begin(); it != order.end(); ++it)
        kept.order.insert(it.key(), it.value().toStringList());
    m_states.add(kept, rows());
}

} // namespace warpline
