#include "views/session/saved_filters.h"

#include <QSettings>

namespace warpline {

namespace {

const QString savedFiltersKey = QStringLiteral("filters/saved");

QStringList storedFilters()
{
    return QSettings().value(savedFiltersKey).toStringList();
}

} // namespace

SavedFilters& SavedFilters::shared()
{
    static SavedFilters filters;
    return filters;
}

SavedFilters::SavedFilters()
    : m_all(storedFilters())
{
}

void SavedFilters::add(const QString& filter)
{
    const QString kept = filter.trimmed();
    if (kept.isEmpty())
        return;
    m_all = storedFilters(); // another window may have saved some since
    m_all.removeAll(kept);
    m_all.prepend(kept);
    m_all = m_all.mid(0, most);
    keep();
}

void SavedFilters::remove(const QString& filter)
{
    m_all = storedFilters();
    m_all.removeAll(filter.trimmed());
    keep();
}

void SavedFilters::keep()
{
    QSettings().setValue(savedFiltersKey, m_all);
    emit changed();
}

} // namespace warpline
