#include "views/session/row_view.h"

#include "views/session/session.h"

#include <QSettings>

#include <algorithm>
#include <array>
#include <utility>

namespace warpline {

namespace {

/// The lists of keys, by their names in the settings.
constexpr std::array<std::pair<const char*, std::vector<std::string> RowsOfView::*>, 4> keyLists{
    {{"open", &RowsOfView::open}, {"closed", &RowsOfView::closed}, {"hidden", &RowsOfView::hidden},
        {"pinned", &RowsOfView::pinned}}};

QStringList textsOf(const std::vector<std::string>& keys)
{
    QStringList texts;
    for (const std::string& key : keys)
        texts << QString::fromStdString(key);
    return texts;
}

std::vector<std::string> keysIn(const QVariant& stored)
{
    std::vector<std::string> keys;
    for (const QString& text : stored.toStringList())
        keys.push_back(text.toStdString());
    return keys;
}

} // namespace

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
    scale = std::clamp(scale, RowState::minScale, RowState::maxScale);
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

RowsOfView RowView::rowStates() const
{
    RowsOfView states = m_states.byKey(rows());
    for (const RowId row : rows().subtree(RowTree::root)) {
        const Row& of = rows().row(row);
        if (depth(row) != usualDepth(of))
            states.depths[of.key] = depth(row);
    }
    return states;
}

void RowView::setRowStates(const RowsOfView& states)
{
    m_states.reset(rows());
    m_states.add(states, rows());
    m_depths.clear();
    for (const auto& [key, depth] : states.depths) {
        const RowId row = rows().find(key);
        if (row != RowTree::root && depth != usualDepth(rows().row(row)))
            m_depths[key] = std::max(1, depth);
    }
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

void RowView::moveDepths(const RowTree& before, std::span<const std::pair<RowId, RowId>> same)
{
    std::unordered_map<std::string, int> moved;
    for (const auto& [was, now] : same) {
        if (auto depth = m_depths.extract(before.row(was).key); !depth.empty())
            moved[rows().row(now).key] = depth.mapped();
    }
    for (const auto& [key, depth] : moved)
        m_depths[key] = depth;
}

void RowView::save(QSettings& settings) const
{
    const RowsOfView kept = m_states.byKey(rows());
    for (const auto& [name, list] : keyLists)
        settings.setValue(name, textsOf(kept.*list));
    QVariantMap scale;
    for (const auto& [key, each] : kept.scale)
        scale[QString::fromStdString(key)] = each;
    settings.setValue("scale", scale);
    QVariantMap order;
    for (const auto& [key, children] : kept.order)
        order[QString::fromStdString(key)] = textsOf(children);
    settings.setValue("order", order);
}

void RowView::restore(const QSettings& settings)
{
    if (!settings.contains("open"))
        return;
    RowsOfView kept;
    for (const auto& [name, list] : keyLists)
        kept.*list = keysIn(settings.value(name));
    const QVariantMap scale = settings.value("scale").toMap();
    for (auto it = scale.begin(); it != scale.end(); ++it)
        kept.scale[it.key().toStdString()] = it.value().toDouble();
    const QVariantMap order = settings.value("order").toMap();
    for (auto it = order.begin(); it != order.end(); ++it)
        kept.order[it.key().toStdString()] = keysIn(it.value());
    m_states.add(kept, rows());
}

} // namespace warpline
