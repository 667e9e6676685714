#pragma once

#include "core/store/problem.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

/// Problems that loading skipped or repaired, each once with a count. Thread-safe.
class ImportLog {
public:
    /// Adds `count` cases of `kind` about `table`, or about otherTables; nothing when 0. `example`: see Problem.
    void add(
        std::string_view table, ProblemKind kind, std::uint64_t count = 1, const std::string& example = {});
    /// All problems, by table and kind.
    std::vector<Problem> problems() const;

private:
    struct Found {
        std::uint64_t count = 0;
        std::string example;
    };

    mutable std::mutex m_mutex;
    std::map<std::pair<std::string, ProblemKind>, Found> m_found;
};

} // namespace warpline
