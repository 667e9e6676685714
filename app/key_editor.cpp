#include "app/key_editor.h"

#include "app/actions/all_actions.h"
#include "views/actions/action_keys.h"

#include <QHash>
#include <QHeaderView>
#include <QKeyEvent>
#include <QKeySequenceEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace warpline {

namespace {

/// Takes one key with its modifiers, where Qt's own would wait for up to three more.
class KeyField : public QKeySequenceEdit {
public:
    using QKeySequenceEdit::QKeySequenceEdit;

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        const QKeySequence before = keySequence();
        QKeySequenceEdit::keyPressEvent(event);
        if (keySequence().isEmpty() || keySequence() == before)
            return;
        setKeySequence(QKeySequence(keySequence()[0]));
        emit keySequenceChanged(keySequence());
    }
};

QString groupOf(const Action& action)
{
    switch (action.menu) {
    case MainMenu::File:
        return KeyEditor::tr("File");
    case MainMenu::View:
        return KeyEditor::tr("View");
    case MainMenu::Go:
        return KeyEditor::tr("Go");
    case MainMenu::Help:
        return KeyEditor::tr("Help");
    case MainMenu::None:
        break;
    }
    return action.context == ContextMenu::Event ? KeyEditor::tr("Event")
        : action.context == ContextMenu::Row    ? KeyEditor::tr("Row")
                                                : KeyEditor::tr("Timeline");
}

} // namespace

KeyEditor::KeyEditor(QWidget* parent)
    : QWidget(parent),
      m_list(new QTreeWidget(this))
{
    m_list->setHeaderLabels({tr("Action"), tr("Shortcut"), tr("Second shortcut"), tr("Default")});
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setStretchLastSection(false);
    m_list->setSelectionMode(QAbstractItemView::NoSelection);
    for (const int column : {1, 2, 3})
        m_list->setColumnWidth(column, 130);
    QHash<QString, QTreeWidgetItem*> groups;
    for (const Action* const action : allActions()) {
        QTreeWidgetItem*& group = groups[groupOf(*action)];
        if (!group)
            group = new QTreeWidgetItem(m_list, {groupOf(*action)});
        addLine(group, *action);
    }
    m_list->expandAll();
    auto* const defaults = new QPushButton(tr("All defaults"), this);
    connect(defaults, &QPushButton::clicked, this, &KeyEditor::reset);
    auto* const layout = new QVBoxLayout(this);
    layout->addWidget(m_list, 1);
    layout->addWidget(defaults, 0, Qt::AlignLeft);
}

void KeyEditor::addLine(QTreeWidgetItem* group, const Action& action)
{
    auto* const item = new QTreeWidgetItem(group, {plainText(action)});
    item->setToolTip(0, helpText(action));
    item->setText(3, keysText(defaultKeysOf(action)));
    Line line{&action, item, {}};
    for (std::size_t i = 0; i < line.fields.size(); ++i) {
        auto* const field = new KeyField(m_list);
        field->setClearButtonEnabled(true);
        connect(field, &QKeySequenceEdit::keySequenceChanged, this, &KeyEditor::changed);
        m_list->setItemWidget(item, static_cast<int>(i) + 1, field);
        line.fields[i] = field;
    }
    fill(line, keysOf(action));
    line.shown = keysIn(line);
    m_lines.push_back(line);
}

QList<QKeySequence> KeyEditor::keysIn(const Line& line)
{
    QList<QKeySequence> keys;
    for (const QKeySequenceEdit* const field : line.fields) {
        if (!field->keySequence().isEmpty())
            keys << field->keySequence();
    }
    return keys;
}

QString KeyEditor::problem() const
{
    QHash<QKeySequence, const Action*> owners;
    for (const Line& line : m_lines) {
        for (const QKeySequence& key : keysIn(line)) {
            const Action*& owner = owners[key];
            if (owner && owner != line.action)
                return tr("%1 is assigned to \u201c%2\u201d and to \u201c%3\u201d.")
                    .arg(key.toString(QKeySequence::NativeText), plainText(*owner), plainText(*line.action));
            owner = line.action;
        }
    }
    return {};
}

void KeyEditor::store() const
{
    for (const Line& line : m_lines) {
        if (line.isChanged())
            setKeys(*line.action, keysIn(line));
    }
}

void KeyEditor::takeOthers()
{
    for (Line& line : m_lines) {
        if (line.isChanged())
            continue;
        fill(line, keysOf(*line.action));
        line.shown = keysIn(line);
    }
}

void KeyEditor::fill(const Line& line, const QList<QKeySequence>& keys)
{
    for (std::size_t i = 0; i < line.fields.size(); ++i) {
        const QSignalBlocker quiet(line.fields[i]);
        line.fields[i]->setKeySequence(keys.value(static_cast<qsizetype>(i)));
    }
}

void KeyEditor::reset()
{
    for (Line& line : m_lines) {
        fill(line, defaultKeysOf(*line.action));
        line.shown.reset();
    }
    emit changed();
}

QKeySequenceEdit* KeyEditor::field(const QString& id, std::size_t place) const
{
    const auto line
        = std::ranges::find(m_lines, id, [](const Line& each) { return QString(each.action->id); });
    return line == m_lines.end() ? nullptr : line->fields[place];
}

} // namespace warpline
