#pragma once

#include "views/models/marks_model.h"
#include "views/models/written_files.h"
#include "views/panels/panel.h"

class QPlainTextEdit;
class QTableView;
class QToolButton;

namespace warpline {

struct HandoverChoice;
class TableExport;

/// The user's bookmarks as a list, and notes about the whole report. A click goes to a bookmark, a
/// double-click or F2 edits it, Del removes it.
class MarksPanel : public Panel {
    Q_OBJECT
public:
    MarksPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    QTableView& table() { return *m_table; }
    QPlainTextEdit& notes() { return *m_notes; }
    TableExport& exporting() { return *m_export; }
    /// The button whose menu changes the colour of the selected bookmark.
    QToolButton& colors() { return *m_colors; }
    QToolButton& removing() { return *m_remove; }
    QToolButton& adding() { return *m_add; }
    void exportReport(); ///< asks for content and path
    /// Writes a page with the content `choice` to `path`.
    void exportReport(const HandoverChoice& choice, const QString& path);

protected:
    void showReport() override;
    void clear() override;

private:
    void makeTable();
    void makeButtons();
    void follow(); ///< the current mark
    int chosen() const; ///< -1: none
    void recolor(std::string_view id);

    MarksModel* m_model;
    QTableView* m_table;
    QToolButton* m_add;
    QToolButton* m_colors;
    QToolButton* m_remove;
    TableExport* m_export;
    QPlainTextEdit* m_notes;
    FileWriter m_page{&m_session, this};
};

} // namespace warpline
