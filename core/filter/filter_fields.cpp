#include "core/filter/filter_fields.h"

#include "core/base/ascii_case.h"
#include "core/base/near_names.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace warpline {

namespace {

constexpr std::array<FilterFieldInfo, 28> fields{{
    {FilterField::Name, FilterType::Text, "name",
        "the name; of kernels the shown, the short or the full one"},
    {FilterField::Duration, FilterType::Time, "dur", "the duration: dur>50us"},
    {FilterField::Kind, FilterType::Words, "kind", "kernel, memcpy, cuda_api, nvtx, osrt, library and so on"},
    {FilterField::Stream, FilterType::Words, "stream", "the number of the CUDA stream"},
    {FilterField::Device, FilterType::Words, "device", "the number of the GPU"},
    {FilterField::Process, FilterType::Words, "process", "the number or the name of the process"},
    {FilterField::Thread, FilterType::Words, "thread",
        "the number or the name of the thread; of GPU work the one that launched it"},
    {FilterField::Path, FilterType::Path, "path",
        "the NVTX ranges around it, outermost first: path=step/*/attention"},
    {FilterField::Domain, FilterType::Words, "domain", "the domain of NVTX ranges, the library of calls"},
    {FilterField::Category, FilterType::Words, "category", "the category of NVTX ranges"},
    {FilterField::Payload, FilterType::Any, "payload",
        "the payload of NVTX ranges, or a field: payload.size>1e6"},
    {FilterField::Bytes, FilterType::Size, "bytes", "the bytes copied, set, allocated or sent: bytes>1MB"},
    {FilterField::Grid, FilterType::Extent, "grid", "the grid of a kernel: blocks, or grid=128x1x1"},
    {FilterField::Block, FilterType::Extent, "block", "a block of a kernel: threads, or block=256x1x1"},
    {FilterField::Call, FilterType::Text, "call", "the name of the call that launched GPU work"},
    {FilterField::Correlation, FilterType::Number, "correlation", "the correlation id"},
    {FilterField::Start, FilterType::Time, "start", "the time at which it begins"},
    {FilterField::End, FilterType::Time, "end", "the time at which it ends"},
    {FilterField::Rank, FilterType::Number, "rank", "the MPI rank of the process"},
    {FilterField::Context, FilterType::Number, "context", "the number of the CUDA context"},
    {FilterField::Registers, FilterType::Number, "registers", "the registers of each thread of a kernel"},
    {FilterField::SharedMemory, FilterType::Size, "shared", "the shared memory of each block of a kernel"},
    {FilterField::GridX, FilterType::Number, "grid.x", "the blocks of a grid along x"},
    {FilterField::GridY, FilterType::Number, "grid.y", "the blocks of a grid along y"},
    {FilterField::GridZ, FilterType::Number, "grid.z", "the blocks of a grid along z"},
    {FilterField::BlockX, FilterType::Number, "block.x", "the threads of a block along x"},
    {FilterField::BlockY, FilterType::Number, "block.y", "the threads of a block along y"},
    {FilterField::BlockZ, FilterType::Number, "block.z", "the threads of a block along z"},
}};

struct OtherWord {
    std::string_view word;
    FilterField field;
};

constexpr std::array<OtherWord, 8> otherWords{{
    {"duration", FilterField::Duration},
    {"gpu", FilterField::Device},
    {"pid", FilterField::Process},
    {"tid", FilterField::Thread},
    {"size", FilterField::Bytes},
    {"library", FilterField::Domain},
    {"corr", FilterField::Correlation},
    {"launch", FilterField::Call},
}};

} // namespace

std::span<const FilterFieldInfo> allFilterFields()
{
    return fields;
}

const FilterFieldInfo& infoOf(FilterField field)
{
    return *std::ranges::find(fields, field, &FilterFieldInfo::field);
}

std::optional<NamedField> findFilterField(std::string_view word)
{
    const std::string key = lowered(word);
    if (const auto* const found = std::ranges::find(fields, key, &FilterFieldInfo::key);
        found != fields.end())
        return NamedField{found->field, {}};
    if (const auto* const found = std::ranges::find(otherWords, key, &OtherWord::word);
        found != otherWords.end())
        return NamedField{found->field, {}};
    constexpr std::string_view payload = "payload.";
    if (key.starts_with(payload) && key.size() > payload.size())
        return NamedField{FilterField::Payload, std::string(word.substr(payload.size()))};
    return std::nullopt;
}

std::string_view similarFilterField(std::string_view word)
{
    constexpr std::size_t longest = 20;
    if (word.size() < 3 || word.size() > longest)
        return {};
    const std::string key = lowered(word);
    std::string_view best;
    std::size_t fewest = 2; // one edit, or two in a long word
    for (const FilterFieldInfo& info : fields) {
        const std::size_t edits = editsBetween(key, info.key);
        if (edits < fewest || (edits == fewest && best.empty() && key.size() > 5)) {
            fewest = edits;
            best = info.key;
        }
    }
    return best;
}

} // namespace warpline
