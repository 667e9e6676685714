#include "core/import/import_log.h"

namespace warpline {

void ImportLog::add(std::string_view table, std::string_view message, std::uint64_t count)
{
    if (count == 0)
        return;
    const std::scoped_lock lock(m_mutex);
    m_counts[{std::string(table), std::string(message)}] += count;
}

std::vector<Problem> ImportLog::problems() const
{
    const std::scoped_lock lock(m_mutex);
    std::vector<Problem> problems;
    problems.reserve(m_counts.size());
    for (const auto& [what, count] : m_counts)
        problems.push_back({what.first, what.second, count});
    return problems;
}

} // namespace warpline
