#include "core/base/string_pool.h"

#include "core/base/secrets.h"

#include <algorithm>
#include <cstring>

namespace warpline {

namespace {
constexpr std::size_t arenaBytes = 256 * 1024;
}

StringPool::StringPool()
    : m_blocks(maxBlocks)
{
    intern({});
}

StringPool::~StringPool() = default;

StringId StringPool::intern(std::string_view text)
{
    const std::scoped_lock lock(m_mutex);
    if (const auto known = m_ids.find(text); known != m_ids.end())
        return known->second;
    // Every string of a report passes here.
    const std::optional<std::string> shown = withoutCredentials(text);
    if (shown) {
        text = *shown;
        if (const auto known = m_ids.find(text); known != m_ids.end())
            return known->second;
    }
    const std::size_t index = m_size.load(std::memory_order_relaxed);
    if (index >= maxBlocks * blockSize)
        return StringId{}; // a report with 134 million distinct names: the rest stays unnamed
    auto& block = m_blocks[index >> blockBits];
    if (!block)
        block = std::make_unique<Block>();
    const std::string_view kept = store(text);
    (*block)[index & (blockSize - 1)] = kept;
    const StringId id{static_cast<std::uint32_t>(index)};
    m_ids.emplace(kept, id);
    m_size.store(index + 1, std::memory_order_release);
    return id;
}

bool StringPool::find(std::string_view text, StringId& id) const
{
    const std::scoped_lock lock(m_mutex);
    const auto known = m_ids.find(text);
    if (known == m_ids.end())
        return false;
    id = known->second;
    return true;
}

std::string_view StringPool::store(std::string_view text)
{
    if (text.empty())
        return {};
    if (text.size() > m_freeBytes) {
        const std::size_t bytes = std::max(arenaBytes, text.size());
        m_arenas.push_back(std::make_unique_for_overwrite<char[]>(bytes));
        m_free = m_arenas.back().get();
        m_freeBytes = bytes;
    }
    char* const start = m_free;
    std::memcpy(start, text.data(), text.size());
    m_free += text.size();
    m_freeBytes -= text.size();
    return {start, text.size()};
}

} // namespace warpline
