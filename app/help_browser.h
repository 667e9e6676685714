#pragma once

#include "views/actions/action.h"

#include <QDialog>
#include <QString>

class QTextBrowser;
class QUrl;

namespace warpline {

/// The documents of the tree, offline: they are in the program. Links lead from page to page.
class HelpBrowser : public QDialog {
    Q_OBJECT
public:
    explicit HelpBrowser(QWidget* parent);
    /// The page in the language of the program, where there is one: "docs/manual/zh-CN/start.md" for
    /// "docs/manual/start.md".
    static QString inLanguage(const QString& page);
    /// Shows a page, such as "docs/compare.md#noise", or where it first has `text` in bold, or else at all.
    void open(const QString& page, const QString& text = {});
    QString page() const; ///< that is shown, as open() takes it, without its heading
    QTextBrowser& text() { return *m_text; }

signals:
    void readingAsked(); ///< a link leads to the page with pictures, MainWindow::showReading()

private:
    void follow(const QUrl& link);
    void scrollTo(const QString& heading);

    QTextBrowser* m_text;
};

/// The place in a document for "What is this?".
struct HelpPlace {
    QString page;
    QString text; ///< see HelpBrowser::open()
};
/// The event or row of a context menu. Otherwise the focused panel's content: the rule of the selected
/// finding, the selected table, the event in Details; or else the panel. In the timeline the current event or
/// the selected row.
HelpPlace helpPlaceOf(const ActionContext& at);
/// The section about rule `id`.
HelpPlace helpPlaceOfRule(const QString& id);

} // namespace warpline
