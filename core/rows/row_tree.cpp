#include "core/rows/row_tree.h"

#include <algorithm>

namespace warpline {

const NotComputing* RowTree::notComputing(const GpuOfProcess& gpu) const
{
    const auto found = m_notComputing.find(gpu);
    return found != m_notComputing.end() ? &found->second : nullptr;
}

void RowTree::keep(std::vector<TrackRef> tracks, std::shared_ptr<const Coverage> coverage)
{
    std::ranges::sort(tracks);
    m_kept.insert_or_assign(std::move(tracks), std::move(coverage));
}

const Coverage* RowTree::kept(std::span<const TrackRef> tracks) const
{
    const auto found = m_kept.find({tracks.begin(), tracks.end()});
    return found != m_kept.end() ? found->second.get() : nullptr;
}

RowTree::RowTree()
    : m_rows(1)
{
}

RowId RowTree::add(RowId parent, Row row)
{
    const RowId id{static_cast<std::uint32_t>(m_rows.size())};
    row.id = id;
    row.parent = parent;
    row.children.clear();
    m_rows.push_back(std::move(row));
    m_rows[raw(parent)].children.push_back(id);
    return id;
}

RowId RowTree::find(const std::string& key) const
{
    const auto found = std::ranges::find(m_rows, key, &Row::key);
    return found != m_rows.end() ? found->id : root;
}

RowId RowTree::rowOf(TrackRef track) const
{
    for (const Row& row : m_rows) {
        const bool inFull = row.drawing == Drawing::Slices || row.drawing == Drawing::Marks;
        if (inFull && std::ranges::find(row.tracks, track) != row.tracks.end())
            return row.id;
    }
    return root;
}

std::vector<RowId> RowTree::subtree(RowId id) const
{
    std::vector<RowId> rows{id};
    for (const RowId child : children(id)) {
        const std::vector<RowId> below = subtree(child);
        rows.insert(rows.end(), below.begin(), below.end());
    }
    return rows;
}

std::vector<TrackRef> RowTree::tracksBelow(RowId id) const
{
    return tracksBelow(std::vector{id});
}

std::vector<TrackRef> RowTree::tracksBelow(const std::vector<RowId>& rows) const
{
    std::vector<TrackRef> tracks;
    for (const RowId top : rows) {
        for (const RowId each : subtree(top)) {
            const Row& row = m_rows[raw(each)];
            tracks.insert(tracks.end(), row.tracks.begin(), row.tracks.end());
        }
    }
    std::ranges::sort(tracks);
    const auto [first, last] = std::ranges::unique(tracks);
    tracks.erase(first, last);
    return tracks;
}

} // namespace warpline
