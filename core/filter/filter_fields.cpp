#include "core/filter/filter_fields.h"

#include "core/base/ascii_case.h"
#include "core/base/near_names.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::array<FilterFieldInfo, 28> fields{{
    {FilterField::Name, FilterType::Text, "name", "name; for kernels the display, short or full name"},
    {FilterField::Duration, FilterType::Time, "dur", "duration: dur>50us"},
    {FilterField::Kind, FilterType::Words, "kind",
        "kind: kernel, memcpy, cuda_api, nvtx, osrt, library, ..."},
    {FilterField::Stream, FilterType::Words, "stream", "CUDA stream id"},
    {FilterField::Device, FilterType::Words, "device", "GPU number"},
    {FilterField::Process, FilterType::Words, "process", "process id or name"},
    {FilterField::Thread, FilterType::Words, "thread",
        "thread id or name; for GPU work, the launching thread"},
    {FilterField::Path, FilterType::Path, "path",
        "enclosing NVTX ranges, outermost first: path=step/*/attention"},
    {FilterField::Domain, FilterType::Words, "domain", "domain of NVTX ranges, library of calls"},
    {FilterField::Category, FilterType::Words, "category", "category of NVTX ranges"},
    {FilterField::Payload, FilterType::Any, "payload",
        "payload of NVTX ranges, or a field of it: payload.size>1e6"},
    {FilterField::Bytes, FilterType::Size, "bytes", "bytes copied, set, allocated or sent: bytes>1MB"},
    {FilterField::Grid, FilterType::Extent, "grid", "grid of a kernel: blocks, or grid=128x1x1"},
    {FilterField::Block, FilterType::Extent, "block", "block of a kernel: threads, or block=256x1x1"},
    {FilterField::Call, FilterType::Text, "call", "name of the call that launched GPU work"},
    {FilterField::Correlation, FilterType::Number, "correlation", "correlation id"},
    {FilterField::Start, FilterType::Time, "start", "start time"},
    {FilterField::End, FilterType::Time, "end", "end time"},
    {FilterField::Rank, FilterType::Number, "rank", "MPI rank of the process"},
    {FilterField::Context, FilterType::Number, "context", "CUDA context id"},
    {FilterField::Registers, FilterType::Number, "registers", "registers per thread of a kernel"},
    {FilterField::SharedMemory, FilterType::Size, "shared", "shared memory per block of a kernel"},
    {FilterField::GridX, FilterType::Number, "grid.x", "grid size in x, in blocks"},
    {FilterField::GridY, FilterType::Number, "grid.y", "grid size in y, in blocks"},
    {FilterField::GridZ, FilterType::Number, "grid.z", "grid size in z, in blocks"},
    {FilterField::BlockX, FilterType::Number, "block.x", "block size in x, in threads"},
    {FilterField::BlockY, FilterType::Number, "block.y", "block size in y, in threads"},
    {FilterField::BlockZ, FilterType::Number, "block.z", "block size in z, in threads"},
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
