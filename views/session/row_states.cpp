#include "views/session/row_states.h"

#include "core/rows/row_tree.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace warpline {

namespace {

std::unordered_map<std::string_view, RowId> rowsByKey(const RowTree& rows)
{
    std::unordered_map<std::string_view, RowId> known;
    for (std::size_t i = 0; i < rows.size(); ++i)
        known.emplace(rows.row(static_cast<RowId>(i)).key, static_cast<RowId>(i));
    return known;
}

QString keyOf(const RowTree& rows, RowId row)
{
    return QString::fromStdString(rows.row(row).key);
}

} // namespace

void RowStates::setHidden(RowId row, bool hidden)
{
    bool& known = m_states[raw(row)].hidden;
    if (known == hidden)
        return;
    known = hidden;
    m_hidden += hidden ? std::size_t{1} : std::size_t(-1);
}

void RowStates::setOrder(const std::vector<RowId>& siblings)
{
    std::uint32_t place = 0;
    for (const RowId row : siblings)
        m_states[raw(row)].place = place++;
}

void RowStates::showAll()
{
    for (RowState& state : m_states)
        state.hidden = false;
    m_hidden = 0;
}

void RowStates::reset(const RowTree& next)
{
    m_states.assign(next.size(), {});
    m_hidden = 0;
}

void RowStates::moveTo(const RowTree& before, const RowTree& next)
{
    const std::vector<RowState> old = std::exchange(m_states, std::vector<RowState>(next.size()));
    const auto known = rowsByKey(next);
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (old[i] == RowState())
            continue;
        if (const auto row = known.find(before.row(static_cast<RowId>(i)).key); row != known.end())
            m_states[raw(row->second)] = old[i];
    }
    m_hidden = static_cast<std::size_t>(std::ranges::count(m_states, true, &RowState::hidden));
}

void RowStates::moveTo(std::size_t rows, std::span<const std::pair<RowId, RowId>> same)
{
    const std::vector<RowState> old = std::exchange(m_states, std::vector<RowState>(rows));
    for (const auto& [before, now] : same) {
        if (raw(before) < old.size() && raw(now) < rows)
            m_states[raw(now)] = old[raw(before)];
    }
    m_hidden = static_cast<std::size_t>(std::ranges::count(m_states, true, &RowState::hidden));
}

RowStates::ByKey RowStates::byKey(const RowTree& rows) const
{
    ByKey kept;
    for (std::size_t i = 0; i < m_states.size(); ++i) {
        const RowState& state = m_states[i];
        const auto row = static_cast<RowId>(i);
        if (state.expanded)
            (*state.expanded ? kept.open : kept.closed) << keyOf(rows, row);
        if (state.hidden)
            kept.hidden << keyOf(rows, row);
        if (state.pinned)
            kept.pinned << keyOf(rows, row);
        if (state.scale != 1)
            kept.scale.insert(keyOf(rows, row), state.scale);
        std::vector<RowId> moved;
        for (const RowId child : rows.children(row)) {
            if (m_states[raw(child)].place != RowState::noPlace)
                moved.push_back(child);
        }
        std::ranges::sort(moved, {}, [&](RowId child) { return m_states[raw(child)].place; });
        for (const RowId child : moved)
            kept.order[keyOf(rows, row)] << keyOf(rows, child);
    }
    return kept;
}

void RowStates::add(const ByKey& kept, const RowTree& rows)
{
    const auto known = rowsByKey(rows);
    const auto change = [&](const QString& key, auto&& with) {
        const std::string text = key.toStdString();
        if (const auto row = known.find(text); row != known.end())
            with(row->second, m_states[raw(row->second)]);
    };
    const auto expand = [&](const QStringList& keys, bool expanded) {
        for (const QString& key : keys)
            change(key, [&](RowId, RowState& state) { state.expanded = state.expanded.value_or(expanded); });
    };
    expand(kept.open, true);
    expand(kept.closed, false);
    for (const QString& key : kept.hidden)
        change(key, [&](RowId row, const RowState&) { setHidden(row, true); });
    for (const QString& key : kept.pinned)
        change(key, [](RowId, RowState& state) { state.pinned = true; });
    for (auto it = kept.scale.begin(); it != kept.scale.end(); ++it)
        change(it.key(), [&](RowId, RowState& state) { state.scale = state.scale == 1 ? *it : state.scale; });
    for (const QStringList& order : kept.order) {
        std::vector<RowId> siblings;
        bool moved = false;
        for (const QString& key : order) {
            change(key, [&](RowId row, const RowState& state) {
                siblings.push_back(row);
                moved |= state.place != RowState::noPlace;
            });
        }
        if (!moved)
            setOrder(siblings);
    }
}

} // namespace warpline
