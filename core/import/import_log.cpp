#include "core/import/import_log.h"

namespace warpline {

void ImportLog::add(std::string_view table, ProblemKind kind, std::uint64_t count, const std::string& example)
{
    if (count == 0)
        return;
    const std::scoped_lock lock(m_mutex);
    Found& found = m_found[{std::string(table), kind}];
    if (found.count == 0)
        found.example = example;
    found.count += count;
}

std::vector<Problem> ImportLog::problems() const
{
    const std::scoped_lock lock(m_mutex);
    std::vector<Problem> problems;
    problems.reserve(m_found.size());
    for (const auto& [what, found] : m_found)
        problems.push_back({what.first, what.second, found.example, found.count});
    return problems;
}

} // namespace warpline
