#pragma once

#include <QObject>
#include <QStringList>

namespace warpline {

/// The filters that the user keeps, the newest first, of whatever report; in QSettings under "filters". What
/// else keeps them, such as a view beside a report, reads all() and hands them to add().
class SavedFilters : public QObject {
    Q_OBJECT
public:
    static SavedFilters& shared();

    const QStringList& all() const { return m_all; }
    bool has(const QString& filter) const { return m_all.contains(filter.trimmed()); }
    /// Moves it to the front where it is kept already. Nothing for a text without words. At most `most` are
    /// kept.
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
