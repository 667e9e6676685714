#include "app/ask_files.h"

#include "core/base/moment.h"
#include "views/style/rich_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>

namespace warpline {

namespace {

/// Accepts a typed path. Qt's own dialog replaces a path by its file name once it has found it, looks for
/// that in the shown folder, and empties the field.
class TypedFileDialog : public QFileDialog {
public:
    using QFileDialog::QFileDialog;

    void followTyping()
    {
        if (auto* const name = findChild<QLineEdit*>("fileNameEdit")) // the desktop's own has none
            connect(name, &QLineEdit::textEdited, this, [this](const QString& text) { m_typed = text; });
    }
    QStringList chosen() const { return m_chosen.isEmpty() ? selectedFiles() : QStringList{m_chosen}; }

protected:
    void accept() override
    {
        const auto* const name = findChild<QLineEdit*>("fileNameEdit");
        const QFileInfo file(directory(), m_typed);
        const bool isTyped = name && !m_typed.isEmpty()
            && (name->text() == m_typed || name->text() == file.fileName()); // no other one was clicked
        if (!isTyped || !file.isFile()) {
            QFileDialog::accept();
            return;
        }
        m_chosen = file.absoluteFilePath();
        QDialog::accept();
    }

private:
    QString m_typed;
    QString m_chosen; ///< empty: the list or the desktop's dialog chose
};

} // namespace

QStringList askForReports(QWidget* parent, const QString& title, const QString& folder, const QString& filter)
{
    TypedFileDialog dialog(parent, title, folder, filter);
    dialog.setFileMode(QFileDialog::ExistingFiles);
    dialog.setOption(QFileDialog::ReadOnly); // no new folders, no renaming, no deleting beside reports
    dialog.followTyping();
    return dialog.exec() == QDialog::Accepted ? dialog.chosen() : QStringList();
}

QString askToSave(QWidget* parent, const QString& title, const QString& offered, const QString& filter,
    const QString& ending)
{
    const QString path = QFileDialog::getSaveFileName(parent, title, offered, filter);
    if (path.isEmpty() || path.endsWith(ending))
        return path;
    const QString whole = path + ending; // the dialog asked about the name without it
    const auto isThere = [whole] { return QFileInfo::exists(whole) || QFileInfo(whole).isSymLink(); };
    if (!withinAMoment(isThere).value_or(true))
        return whole;
    const auto answer
        = QMessageBox::question(parent, title, plainTip(QObject::tr("%1 exists. Replace it?").arg(whole)),
            QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel);
    return answer == QMessageBox::Save ? whole : QString();
}

} // namespace warpline
