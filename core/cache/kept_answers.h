#pragma once

#include "core/cache/archive.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// Identifies a cached result: the query, the files and their state.
struct AnswerKey {
    std::string name; ///< the query and the paths: a new result replaces the old one
    std::string state; ///< sizes and modification times: the result is valid while they are the same
};

/// The key of `question` about `files`, with `version` of the code that computes the result. Reads no file.
/// Nothing where one is not a regular file, or has a nonempty -wal or -journal file.
std::optional<AnswerKey> answerKey(
    std::string_view question, std::span<const std::string> files, std::string_view version);

/// Small results that take long to compute, cached next to traces (see trace_cache.h), each in its own file.
/// The folder may be cleared at any time and used by several programs at once: a file gets its name when it
/// is complete, and damaged files are ignored.
class KeptAnswers {
public:
    /// `folder` is created on the first write; empty: nothing is cached.
    explicit KeptAnswers(std::string folder)
        : m_folder(std::move(folder))
    {
    }

    /// Whether there is a result for `key`; `read` then reads what `write` wrote.
    bool find(const AnswerKey& key, const std::function<void(ArchiveReader&)>& read) const;
    /// Stores what `write` writes; a full or read-only disk is not an error.
    void keep(const AnswerKey& key, const std::function<void(ArchiveWriter&)>& write) const;
    /// Removes results that were not used for 90 days.
    void clearUnused() const;

private:
    std::string m_folder;
};

} // namespace warpline
