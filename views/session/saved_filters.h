#pragma once

#include <QObject>
#include <QStringList>

namespace warpline {

/// The user's saved filters, the newest first, for all reports; in QSettings under "filters". Other storage,
/// such as a view, uses all() and add().
class SavedFilters : public QObject {
    Q_OBJECT
public:
    static SavedFilters& shared();

    const QStringList& all() const { return m_all; }
    bool has(const QString& filter) const { return m_all.contains(filter.trimmed()); }
    /// Adds it, or moves it to the front. Ignores a blank text. Keeps at most `most`.
    void add(const QString& filter);
    void remove(const QString& filter);

    static constexpr int most = 50;

signals:
    void changed();

private:
    SavedFilters();
    void keep();

    QStringList m_all;
};

} // namespace warpline
