#include "core/cache/archive.h"

#include "core/base/file_wait.h"

#include <algorithm>
#include <array>
#include <optional>

#define XXH_INLINE_ALL // nothing to link
#include <xxhash.h>

namespace warpline {

namespace {

struct BlockHead {
    std::uint64_t bytes = 0;
    std::uint64_t hash = 0;
};

std::size_t padded(std::size_t bytes)
{
    return (bytes + archiveAlignment - 1) / archiveAlignment * archiveAlignment;
}

} // namespace

std::uint64_t hashOf(std::span<const std::byte> bytes)
{
    return XXH3_64bits(bytes.data(), bytes.size());
}

void ArchiveWriter::block(std::span<const std::byte> bytes)
{
    static constexpr std::array<char, archiveAlignment> zeros{};
    const BlockHead head{bytes.size(), hashOf(bytes)};
    m_file.write(reinterpret_cast<const char*>(&head), sizeof head);
    constexpr std::size_t piece = 16 << 20U; // soon written: a window that closes need not wait long
    for (auto rest = bytes; !rest.empty() && m_file.good();
         rest = rest.subspan(std::min(piece, rest.size()))) {
        if (m_stop.stop_requested())
            m_file.setstate(std::ios::failbit);
        const std::size_t now = std::min(piece, rest.size());
        m_file.write(reinterpret_cast<const char*>(rest.data()), static_cast<std::streamsize>(now));
    }
    m_file.write(zeros.data(), static_cast<std::streamsize>(padded(bytes.size()) - bytes.size()));
}

bool ArchiveWriter::close()
{
    m_file.close();
    return m_file.good();
}

std::span<const std::byte> ArchiveReader::block()
{
    std::optional<FileWait> wait; // the hash reads all of the block
    if (!m_name.empty())
        wait.emplace(m_name);
    BlockHead head;
    if (!check(m_rest.size() >= sizeof head))
        return {};
    std::memcpy(&head, m_rest.data(), sizeof head);
    m_rest = m_rest.subspan(sizeof head);
    if (!check(head.bytes <= m_rest.size() && padded(head.bytes) <= m_rest.size()))
        return {};
    const std::span<const std::byte> bytes = m_rest.first(head.bytes);
    if (!check(hashOf(bytes) == head.hash))
        return {};
    m_rest = m_rest.subspan(padded(head.bytes));
    return bytes;
}

} // namespace warpline
