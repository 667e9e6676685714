#pragma once

#include "core/base/string_pool.h"
#include "core/kineto/json_value.h"

#include <string_view>
#include <unordered_map>

namespace warpline {

/// Interns repeated names without taking the pool's lock each time. Not thread-safe.
class NameCache {
public:
    explicit NameCache(StringPool& pool)
        : m_pool(pool)
    {
    }
    StringId operator()(std::string_view text)
    {
        const auto known = m_known.find(text);
        if (known != m_known.end())
            return known->second;
        const StringId id = m_pool.intern(text);
        m_known.emplace(m_pool[id], id);
        return id;
    }
    StringId operator()(const JsonValue& value)
    {
        return value.escaped ? (*this)(textOf(value)) : (*this)(value.text);
    }
    StringPool& pool() { return m_pool; }

private:
    StringPool& m_pool;
    std::unordered_map<std::string_view, StringId> m_known;
};

} // namespace warpline
