#include "core/import/import_log.h"

namespace warpline {

void ImportLog::add(std::string_view table, ProblemKind kind, std::uint64_t count, const std::string& example)
{
    if (count == 0)
        return;
    const std::scoped_lock lock(m_mutex);
    std::pair key(std::string(table.substr(0, mostTableLetters)), kind);
    if (table.size() > mostTableLetters || (m_found.size() >= mostTables && !m_found.contains(key)))
        key.first = otherTables;
    Found& found = m_found[key];
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
