#pragma once

#include "core/base/string_pool.h"
#include "core/kineto/json_value.h"

#include <string_view>
#include <unordered_map>

namespace warpline {

/// Interns names that come again and again without taking the pool's lock for each. Of one thread.
class NameCache {
public:
    explicit NameCache(StringPool& pool)
        : m_pool(pool)
    {
    }
    StringId operator()(std::string_view text);
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
