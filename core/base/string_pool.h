#pragma once

#include "core/base/ids.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpline {

/// Stands for the name of an event whose text is not in the report.
inline constexpr std::string_view missingName = "[name missing in the report]";

/// Each string once; StringId is its handle. Append-only: a StringId and its view stay valid for the life of
/// the pool. Strings hold the bytes of the report, which need not be UTF-8 and may contain NUL; views decode
/// them leniently.
///
/// Reading a known id is safe while another thread interns, so snapshots of a report that still loads share
/// one pool: entries live in blocks that never move.
class StringPool {
public:
    StringPool();
    ~StringPool();
    StringPool(const StringPool&) = delete;
    StringPool& operator=(const StringPool&) = delete;

    /// The id of `text`, added when new. Thread-safe.
    StringId intern(std::string_view text);
    /// The id of `text` if it is in the pool. Thread-safe.
    bool find(std::string_view text, StringId& id) const;

    std::string_view operator[](StringId id) const { return view(raw(id)); }
    /// Number of strings, the empty one included.
    std::size_t size() const { return m_size.load(std::memory_order_acquire); }

private:
    static constexpr std::size_t blockBits = 14;
    static constexpr std::size_t blockSize = std::size_t{1} << blockBits;
    static constexpr std::size_t maxBlocks = 8192; // 134 million strings
    using Block = std::array<std::string_view, blockSize>;

    std::string_view view(std::size_t i) const { return (*m_blocks[i >> blockBits])[i & (blockSize - 1)]; }
    std::string_view store(std::string_view text);

    std::vector<std::unique_ptr<Block>> m_blocks; // sized once, so readers never see it move
    std::atomic<std::size_t> m_size{0};
    mutable std::mutex m_mutex;
    std::unordered_map<std::string_view, StringId> m_ids;
    std::vector<std::unique_ptr<char[]>> m_arenas;
    char* m_free = nullptr;
    std::size_t m_freeBytes = 0;
};

} // namespace warpline
