#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace warpline {

/// Numbers keys in the order they first come. Events repeat the same few keys: those seen last are found
/// without a search.
template <typename Key, typename Hash = std::hash<Key>> class KeyNumbers {
public:
    std::uint32_t numberOf(const Key& key)
    {
        Recent& recent = m_recent[(Hash()(key) * 0x9E3779B97F4A7C15ULL) >> (64U - recentBits)];
        if (recent.number < m_keys.size() && recent.key == key)
            return recent.number;
        const auto [place, added] = m_numbers.try_emplace(key, static_cast<std::uint32_t>(m_keys.size()));
        if (added)
            m_keys.push_back(key);
        recent = {key, place->second};
        return place->second;
    }

    /// By number.
    const std::vector<Key>& keys() const { return m_keys; }
    std::size_t size() const { return m_keys.size(); }

private:
    static constexpr unsigned recentBits = 8;
    struct Recent {
        Key key{};
        std::uint32_t number = ~std::uint32_t{0};
    };

    std::unordered_map<Key, std::uint32_t, Hash> m_numbers;
    std::vector<Key> m_keys;
    std::array<Recent, std::size_t{1} << recentBits> m_recent{};
};

} // namespace warpline
