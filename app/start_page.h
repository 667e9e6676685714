#pragma once

#include <QTextBrowser>

namespace warpline {

/// What the window shows without a report: how to get one, the sample, and the reports opened before.
class StartPage : public QTextBrowser {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    /// Lists the recent reports anew.
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

private:
    void follow(const QString& link);

    QStringList m_recent; ///< as they are listed
};

} // namespace warpline
