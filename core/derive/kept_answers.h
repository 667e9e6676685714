#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

namespace warpline {

/// What was found out about reports, for as long as these are open: each is worked out once, whoever asks,
/// and what is known can be had without waiting while another is worked out. A report is known by a part of
/// it (`Key`) that it shares with nobody. Where the answer depends on more than the report, that is the
/// `Question`: of each report the answers to the last few are kept. Safe to use from several threads.
template <typename Key, typename Answer, typename Question = std::monostate> class KeptAnswers {
public:
    /// nullptr: nobody has asked for it yet, or it is being worked out.
    std::shared_ptr<const Answer> known(const std::shared_ptr<const Key>& key, const Question& question = {})
    {
        const std::scoped_lock lock(m_mutex);
        std::erase_if(m_entries, [](const Entry& entry) { return entry.key.expired(); });
        const auto found = std::ranges::find_if(m_entries,
            [&](const Entry& entry) { return entry.key.lock() == key && entry.question == question; });
        return found == m_entries.end() ? nullptr : found->answer;
    }

    /// What is known, or else `find()`, kept; one at a time is worked out. What `find` throws goes through.
    template <typename Find>
    std::shared_ptr<const Answer> of(
        const std::shared_ptr<const Key>& key, Find find, const Question& question = {})
    {
        if (auto answer = known(key, question))
            return answer;
        const std::scoped_lock alone(m_finding);
        if (auto answer = known(key, question)) // worked out by somebody else meanwhile
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
    static constexpr std::ptrdiff_t maxQuestions = 4; ///< of one report; the oldest goes

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
