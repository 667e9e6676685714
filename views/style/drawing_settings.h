#pragma once

#include <QString>
#include <QVariant>

namespace warpline {

/// The settings of how things are drawn. A view has its own for the open reports, which are not stored.
class DrawingSettings {
public:
    /// The view's value, else the user's, else `otherwise`.
    static QVariant value(const QString& key, const QVariant& otherwise = {});
    /// The user's choice, which precedes the view's.
    static void choose(const QString& key, const QVariant& value);
    /// The view's values by their keys, and draws with them; none: draws as the user chose.
    static void setOfView(const QVariantMap& values);
    /// The values of the view that the user has not changed since.
    static QVariantMap ofView();
};

} // namespace warpline
