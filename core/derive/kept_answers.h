#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

namespace warpline {

/// Cache of results about reports, for as long as these are open. Each is computed once for all callers, and
/// known results are available without waiting for a computation. `Key` is an object that belongs to one
/// report only. `Question` holds what else the result depends on: the last few per report are kept.
/// Thread-safe.
template <typename Key, typename Answer, typename Question = std::monostate> class KeptAnswers {
public:
    /// nullptr: not requested yet, or still being computed.
    std::shared_ptr<const Answer> known(const std::shared_ptr<const Key>& key, const Question& question = {})
    {
        const std::scoped_lock lock(m_mutex);
        std::erase_if(m_entries, [](const Entry& entry) { return entry.key.expired(); });
        const auto found = std::ranges::find_if(m_entries,
            [&](const Entry& entry) { return entry.key.lock() == key && entry.question == question; });
        return found == m_entries.end() ? nullptr : found->answer;
    }

    /// The known result, or that of `find()`, which is then kept; one computation at a time. Exceptions of
    /// `find` pass through.
    template <typename Find>
    std::shared_ptr<const Answer> of(
        const std::shared_ptr<const Key>& key, Find find, const Question& question = {})
    {
        if (auto answer = known(key, question))
            return answer;
        const std::scoped_lock alone(m_finding);
        if (auto answer = known(key, question)) // another thread computed it in between
            return answer;
        auto answer = std::make_shared<const Answer>(find());
        const std::scoped_lock lock(m_mutex);
        const auto ofKey = [&](const Entry& entry) { return entry.key.lock() == key; };
        if (std::ranges::count_if(m_entries, ofKey) >= maxQuestions)
            m_entries.erase(std::ranges::find_if(m_entries, ofKey));
        m_entries.push_back({key, question, answer});
        return answer;
    }

private:
    static constexpr std::ptrdiff_t maxQuestions = 4; ///< per report; the oldest is dropped

    struct Entry {
        std::weak_ptr<const Key> key;
        Question question;
        std::shared_ptr<const Answer> answer;
    };
    std::mutex m_finding;
    std::mutex m_mutex; ///< of the entries
    std::vector<Entry> m_entries;
};

} // namespace warpline
