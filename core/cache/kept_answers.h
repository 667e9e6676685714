#pragma once

#include "core/cache/archive.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// What tells an answer about files from that about others, and from that about what they were.
struct AnswerKey {
    std::string name; ///< the question and the paths: a new answer takes the place of an old one
    std::string state; ///< sizes and times of change: the answer holds while they are the same
};

/// The key of `question` about `files`, with `version` of what answers. No file is read. Nothing where one of
/// them is no regular file, or has a -wal or -journal with content beside it.
std::optional<AnswerKey> answerKey(
    std::string_view question, std::span<const std::string> files, std::string_view version);

/// Small answers that take long to find, kept in the folder of kept traces (see trace_cache.h), each in a
/// file of its own. The folder may be cleared at any time, and several programs may use it at once: a file
/// has its name when it is whole, and one that is damaged is none.
class KeptAnswers {
public:
    /// `folder` is made when something is kept; empty: nothing is kept.
    explicit KeptAnswers(std::string folder)
        : m_folder(std::move(folder))
    {
    }

    /// Whether there is an answer to `key`, which `read` has read: it is the same as `write` wrote.
    bool find(const AnswerKey& key, const std::function<void(ArchiveReader&)>& read) const;
    /// Keeps what `write` writes; a disk that takes nothing is no error.
    void keep(const AnswerKey& key, const std::function<void(ArchiveWriter&)>& write) const;
    /// Removes the answers that nobody asked for in 90 days.
    void clearUnused() const;

private:
    std::string m_folder;
};

} // namespace warpline
