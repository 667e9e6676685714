#include "core/operators/product_tiles.h"

#include "core/base/ascii_case.h"
#include "core/base/saturate.h"
#include "core/base/words.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace warpline {

namespace {

/// A block of a product has at least a warp; smaller blocks are defaults for missing data.
constexpr std::int64_t minThreads = 32;

/// The product of "128x64" at the beginning of `text`; nothing: it begins otherwise.
std::optional<std::int64_t> tileAt(std::string_view text)
{
    std::array<int, 2> sides{};
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (i == 1 && !text.starts_with('x'))
            return {};
        text.remove_prefix(i);
        const auto read = std::from_chars(text.data(), text.data() + text.size(), sides[i]);
        if (read.ec != std::errc() || sides[i] <= 0)
            return {};
        text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    }
    return std::int64_t{sides[0]} * sides[1];
}

/// The first "_128x64" of `text`.
std::optional<std::int64_t> firstTile(std::string_view text)
{
    while (!text.empty()) {
        text = textBehind(text, "_");
        if (const auto tile = tileAt(text))
            return tile;
    }
    return {};
}

/// A product of Hopper's CUTLASS or a later one has its architecture behind "cutlass3x_sm".
bool isOlderCutlass(std::string_view name)
{
    constexpr std::array<std::string_view, 4> architectures{"70_", "75_", "80_", "89_"};
    const std::string_view architecture = textBehind(name, "cutlass_");
    return std::ranges::any_of(
        architectures, [&](std::string_view each) { return architecture.starts_with(each); });
}

/// The tile of a block, by the conventions of names.
std::optional<std::int64_t> tileElements(std::string_view name)
{
    static constexpr std::array<std::string_view, 9> severalTiles{"segment_k", "warpgroup", "persistent",
        "Persistent", "streamk", "stream_k", "StreamK", "grouped", "Grouped"};
    if (containsAny(name, severalTiles))
        return {};
    if (name.starts_with("Cijk_")) {
        // _SK0: no stream-K.
        const std::string_view streamK = textBehind(name, "_SK");
        const bool isStreamK = !streamK.empty() && isDigit(streamK.front()) && streamK.front() != '0';
        return isStreamK ? std::nullopt : tileAt(textBehind(name, "_MT"));
    }
    if (name.find("_xmma_gemm_") != std::string_view::npos)
        return tileAt(textBehind(name, "tilesize"));
    const bool ofCublas
        = std::ranges::any_of(std::array<std::string_view, 4>{"maxwell_", "volta_", "turing_", "ampere_"},
            [&](std::string_view architecture) { return name.starts_with(architecture); });
    return ofCublas || isOlderCutlass(name) ? firstTile(textBehind(name, "gemm")) : std::nullopt;
}

} // namespace

std::optional<std::int64_t> mostResultElements(std::string_view name, const KernelLaunch& launch)
{
    const std::int64_t threads = launch.block.volume();
    std::int64_t blocks = launch.grid.volume();
    if (threads < minThreads || blocks == 0)
        return {};
    const auto tile = tileElements(name);
    if (!tile)
        return {};
    // HIP's launches of such kernels count threads, not blocks.
    if (name.starts_with("Cijk_"))
        blocks = (blocks + threads - 1) / threads;
    return saturatingProduct(*tile, blocks);
}

} // namespace warpline
