#pragma once

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
    /// What a line of the recent files is called: "report.sqlite", "rank0.sqlite to rank7.sqlite (8 reports)".
    static QString recentName(const QString& origin);
    /// The report that comes with the program; empty when it is not installed.
    static QString samplePath();

signals:
    void openWanted();
    void filesWanted(const QStringList& names);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void write(); ///< the page
    void follow(const QString& link);

    QStringList m_recent; ///< as they are listed
    QStringList m_gone; ///< those of them that are not there any more, as far as is known
    LatestJob m_looking; ///< one on a server that is away must not hold the window
};

} // namespace warpline
