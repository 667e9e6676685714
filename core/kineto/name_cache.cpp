#include "core/kineto/name_cache.h"

namespace warpline {

StringId NameCache::operator()(std::string_view text)
{
    const auto known = m_known.find(text);
    if (known != m_known.end())
        return known->second;
    const StringId id = m_pool.intern(text);
    m_known.emplace(m_pool[id], id);
    return id;
}

} // namespace warpline
