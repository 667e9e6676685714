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

void RowStates::take(const RowStates& of, const RowTree& before, const RowTree& now)
{
    const auto known = rowsByKey(now);
    for (std::size_t i = 0; i < of.m_states.size(); ++i) {
        if (const auto row = known.find(before.row(static_cast<RowId>(i)).key); row != known.end())
            m_states[raw(row->second)] = of.m_states[i];
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

RowsOfView RowStates::byKey(const RowTree& rows) const
{
    RowsOfView kept;
    for (std::size_t i = 0; i < m_states.size(); ++i) {
        const RowState& state = m_states[i];
        const auto row = static_cast<RowId>(i);
        const std::string& key = rows.row(row).key;
        if (state.expanded)
            (*state.expanded ? kept.open : kept.closed).push_back(key);
        if (state.hidden)
            kept.hidden.push_back(key);
        if (state.pinned)
            kept.pinned.push_back(key);
        if (state.scale != 1)
            kept.scale[key] = state.scale;
        std::vector<RowId> moved;
        for (const RowId child : rows.children(row)) {
            if (m_states[raw(child)].place != RowState::noPlace)
                moved.push_back(child);
        }
        std::ranges::sort(moved, {}, [&](RowId child) { return m_states[raw(child)].place; });
        for (const RowId child : moved)
            kept.order[key].push_back(rows.row(child).key);
    }
    return kept;
}

void RowStates::add(const RowsOfView& kept, const RowTree& rows)
{
    const auto known = rowsByKey(rows);
    const auto change = [&](const std::string& key, auto&& with) {
        if (const auto row = known.find(key); row != known.end())
            with(row->second, m_states[raw(row->second)]);
    };
    const auto expand = [&](const std::vector<std::string>& keys, bool expanded) {
        for (const std::string& key : keys)
            change(key, [&](RowId, RowState& state) { state.expanded = state.expanded.value_or(expanded); });
    };
    expand(kept.open, true);
    expand(kept.closed, false);
    for (const std::string& key : kept.hidden)
        change(key, [&](RowId row, const RowState&) { setHidden(row, true); });
    for (const std::string& key : kept.pinned)
        change(key, [](RowId, RowState& state) { state.pinned = true; });
    for (const auto& [key, scale] : kept.scale) {
        const double limited = std::clamp(scale, RowState::minScale, RowState::maxScale);
        change(key, [&](RowId, RowState& state) { state.scale = state.scale == 1 ? limited : state.scale; });
    }
    for (const auto& [parent, order] : kept.order) {
        std::vector<RowId> siblings;
        bool moved = false;
        for (const std::string& key : order) {
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
