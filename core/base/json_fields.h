#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace warpline {

/// How deeply JSON from elsewhere may be nested: a value is copied and written by functions that call
/// themselves once a level.
inline constexpr std::size_t maxJsonDepth = 64;
/// How often its keys may be compared: each with all before it in its object. 10,000 keys take that.
inline constexpr std::size_t maxJsonCompared = 50'000'000;

/// The JSON in `text`. Discarded: it is not valid, or goes beyond `maxJsonDepth` or `maxJsonCompared`, which
/// `isBeyondLimits` says.
nlohmann::ordered_json parseJson(std::string_view text, bool* isBeyondLimits = nullptr);

/// The value of `key` in the object `json`, when it has the wanted type: string, bool, integer in range, or
/// number. Otherwise nothing, because files that people edit may hold anything.
template <typename Value> std::optional<Value> fieldOf(const nlohmann::ordered_json& json, const char* key)
{
    if (!json.is_object())
        return std::nullopt;
    const auto found = json.find(key);
    if (found == json.end())
        return std::nullopt;
    if constexpr (std::is_same_v<Value, std::string>) {
        return found->is_string() ? std::optional(found->template get<std::string>()) : std::nullopt;
    } else if constexpr (std::is_same_v<Value, bool>) {
        return found->is_boolean() ? std::optional(found->template get<bool>()) : std::nullopt;
    } else if constexpr (std::is_floating_point_v<Value>) {
        return found->is_number() ? std::optional(found->template get<Value>()) : std::nullopt;
    } else {
        if (!found->is_number_integer())
            return std::nullopt;
        const auto number = found->template get<std::int64_t>(); // beyond 2^63 - 1 it wraps around
        const bool wraps = found->is_number_unsigned() && number < 0;
        if (wraps && !std::is_same_v<Value, std::uint64_t>)
            return std::nullopt;
        const auto value = static_cast<Value>(number);
        return wraps || static_cast<std::int64_t>(value) == number ? std::optional(value) : std::nullopt;
    }
}

} // namespace warpline
