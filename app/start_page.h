#pragma once

#include "app/recent_files.h"
#include "views/loading/latest_job.h"

#include <QWidget>

class QTextBrowser;

namespace warpline {

/// The window's content without a report: buttons to get one, and recent reports.
class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    /// Fills the list of recent reports again, when it is visible; whether they exist, their age and size
    /// follow a little later.
    void fill();
    /// The report that comes with the program; empty when it is not installed.
    static QString samplePath();
    /// It fills the window while no report is open: behind one it asks for no room.
    QSize minimumSizeHint() const override { return {320, 240}; }
    QTextBrowser& recent() { return *m_list; } ///< links "recent:0"

signals:
    void filesWanted(const QStringList& names);
    void pairWanted(const QStringList& a, const QStringList& b); ///< to be compared again

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    /// Facts about the first file of an entry.
    struct Looked {
        bool isThere = false;
        QString figures; ///< date and size
        bool operator==(const Looked&) const = default;
    };

    void write(); ///< the list
    void follow(const QString& link);

    QTextBrowser* m_list;
    QList<RecentFiles> m_recent; ///< as they are listed
    QList<Looked> m_looked; ///< of each of them; empty: not known yet
    LatestJob m_looking{JobPool::files()}; ///< one on a server that is away must not hold the window
};

} // namespace warpline
