#pragma once

#include "app/recent_files.h"
#include "views/loading/latest_job.h"

#include <QTextBrowser>

namespace warpline {

/// What the window shows without a report: how to get one, the sample, and the reports opened before.
class StartPage : public QTextBrowser {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    /// Lists the recent reports anew, where anybody sees it; which of them are gone it says a little later.
    void fill();
    /// The report that comes with the program; empty when it is not installed.
    static QString samplePath();

signals:
    void openWanted();
    void compareWanted(); ///< two reports that are to be asked for
    void filesWanted(const QStringList& names);
    void pairWanted(const QStringList& a, const QStringList& b); ///< to be compared again

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void write(); ///< the page
    void follow(const QString& link);

    QList<RecentFiles> m_recent; ///< as they are listed
    QList<RecentFiles> m_gone; ///< those of them that are not there any more, as far as is known
    LatestJob m_looking; ///< one on a server that is away must not hold the window
};

} // namespace warpline
