#pragma once

#include <cstdint>
#include <string_view>

namespace warpline {

/// FNV-1a of 64 bits over values in order: the same on every machine and in every run.
class StableHash {
public:
    constexpr void add(std::uint64_t value) { m_value = (m_value ^ value) * prime; }
    constexpr void add(std::string_view text)
    {
        for (const char c : text)
            add(std::uint64_t{static_cast<unsigned char>(c)});
    }
    constexpr std::uint64_t value() const { return m_value; }

private:
    static constexpr std::uint64_t prime = 0x100000001b3;
    std::uint64_t m_value = 0xcbf29ce484222325;
};

} // namespace warpline
