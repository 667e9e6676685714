#pragma once

#include "app/recent_files.h"
#include "views/loading/latest_job.h"

#include <QHash>
#include <QWidget>

class QTextBrowser;

namespace warpline {

/// What the window shows without a report: buttons for how to get one, and the reports opened before.
class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    /// Lists the recent reports anew, where anybody sees it; which of them are gone, how old and how large
    /// they are it says a little later.
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
    /// What a look at the first file of an entry says.
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
