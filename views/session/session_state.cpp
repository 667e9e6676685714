// What of the user's arrangement survives a restart.

#include "views/session/session.h"

#include <QSettings>

namespace warpline {

namespace {

/// Reports are recognized by their content's measure, not by their path: copies keep the user's layout.
QString settingsGroup(const Workspace& workspace)
{
    QStringList measures;
    for (const OpenReport& report : workspace.reports())
        measures << QStringLiteral("%1-%2-%3")
                        .arg(report.trace->info.fileBytes)
                        .arg(report.trace->session.start)
                        .arg(report.trace->session.end);
    return "reports/" + measures.join('+');
}

} // namespace

void Session::saveState() const
{
    if (!m_workspace->isComplete() || isEmpty())
        return;
    QSettings settings;
    settings.beginGroup(settingsGroup(*m_workspace));
    QStringList open;
    QStringList closed;
    for (auto it = m_expanded.begin(); it != m_expanded.end(); ++it)
        (it.value() ? open : closed) << it.key();
    settings.setValue("open", open);
    settings.setValue("closed", closed);
    settings.setValue("hidden", QStringList(m_hidden.begin(), m_hidden.end()));
    settings.setValue("pinned", QStringList(m_pinned.begin(), m_pinned.end()));
    QVariantMap scale;
    for (auto it = m_scale.begin(); it != m_scale.end(); ++it)
        scale[it.key()] = it.value();
    settings.setValue("scale", scale);
    QVariantMap order;
    for (auto it = m_order.begin(); it != m_order.end(); ++it)
        order[it.key()] = it.value();
    settings.setValue("order", order);
}

void Session::restoreState()
{
    QSettings settings;
    settings.beginGroup(settingsGroup(*m_workspace));
    if (!settings.contains("open"))
        return;
    // What the user did while the report was loading is newer and stays.
    const auto remember = [](auto& known, const QString& key, auto value) {
        if (!known.contains(key))
            known.insert(key, value);
    };
    for (const QString& key : settings.value("open").toStringList())
        remember(m_expanded, key, true);
    for (const QString& key : settings.value("closed").toStringList())
        remember(m_expanded, key, false);
    for (const QString& key : settings.value("hidden").toStringList())
        m_hidden.insert(key);
    for (const QString& key : settings.value("pinned").toStringList())
        m_pinned.insert(key);
    const QVariantMap scale = settings.value("scale").toMap();
    for (auto it = scale.begin(); it != scale.end(); ++it)
        remember(m_scale, it.key(), it.value().toDouble());
    const QVariantMap order = settings.value("order").toMap();
    for (auto it = order.begin(); it != order.end(); ++it)
        remember(m_order, it.key(), it.value().toStringList());
}

} // namespace warpline
