#pragma once

#include "core/store/trace.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

/// What was skipped or repaired while loading, each once with a count. Thread-safe.
class ImportLog {
public:
    /// Adds `count` cases of `message` (one sentence, ends with a full stop) about `table`; nothing when 0.
    void add(std::string_view table, std::string_view message, std::uint64_t count = 1);
    /// All problems, by table and message.
    std::vector<Problem> problems() const;

private:
    mutable std::mutex m_mutex;
    std::map<std::pair<std::string, std::string>, std::uint64_t> m_counts;
};

} // namespace warpline
