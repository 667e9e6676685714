#include "core/operators/attention_lengths.h"

#include <array>
#include <charconv>
#include <cstdint>

namespace warpline {

namespace {

/// The numbers behind "sq", "sk", "sqsq" and "sqsk" in "(sq8sk8sqsq64sqsk64)" behind `key` in `name`.
std::optional<std::array<double, 4>> lengthSums(std::string_view name, std::string_view key)
{
    const std::size_t at = name.find(key);
    const std::size_t open = at == std::string_view::npos ? at : name.find('(', at);
    if (open == std::string_view::npos)
        return {};
    std::string_view rest = name.substr(open + 1);
    std::array<double, 4> sums{};
    constexpr std::array<std::string_view, 4> words{"sq", "sk", "sqsq", "sqsk"};
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!rest.starts_with(words[i]))
            return {};
        rest.remove_prefix(words[i].size());
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (error != std::errc())
            return {};
        sums[i] = static_cast<double>(number);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    }
    return sums;
}

} // namespace

std::optional<AttentionLengths> attentionLengthsIn(std::string_view name)
{
    const auto context = lengthSums(name, "context_");
    const auto generation = lengthSums(name, "generation_");
    if (!context && !generation)
        return {};
    AttentionLengths lengths;
    if (context) {
        lengths.queries += (*context)[0];
        lengths.keys += (*context)[1];
        lengths.pairs += (*context)[3] - (*context)[2] / 2;
    }
    if (generation) {
        lengths.queries += (*generation)[0];
        lengths.keys += (*generation)[1];
        lengths.pairs += (*generation)[3];
    }
    return lengths;
}

} // namespace warpline
