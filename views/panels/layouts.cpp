#include "views/panels/layouts.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>

namespace warpline {

void fillLayout(QBoxLayout* layout, const QMargins& margins, int spacing, LayoutEntries entries)
{
    layout->setContentsMargins(margins);
    layout->setSpacing(spacing);
    for (const LayoutEntry& entry : entries) {
        if (entry.widget)
            layout->addWidget(entry.widget, entry.stretch);
        else if (entry.layout)
            layout->addLayout(entry.layout, entry.stretch);
        else
            layout->addStretch(entry.stretch);
    }
}

void fillColumn(QWidget* parent, int spacing, LayoutEntries entries)
{
    fillLayout(new QVBoxLayout(parent), {}, spacing, entries);
}

QWidget* makeColumn(QWidget* parent, int spacing, LayoutEntries entries)
{
    auto* const made = new QWidget(parent);
    fillColumn(made, spacing, entries);
    return made;
}

QLayout* barLayout(LayoutEntries entries, const QMargins& margins)
{
    auto* const bar = new QHBoxLayout;
    fillLayout(bar, margins, styleSpacing, entries);
    return bar;
}

void fillSplitter(QSplitter& splitter, std::initializer_list<std::pair<QWidget*, int>> parts,
    std::initializer_list<int> sizes)
{
    for (const auto& [part, share] : parts) {
        splitter.addWidget(part);
        if (share > 0)
            splitter.setStretchFactor(splitter.count() - 1, share);
    }
    splitter.setSizes(sizes);
}

} // namespace warpline
