#pragma once

#include "core/replay/cure.h"

#include <QObject>
#include <QString>

namespace warpline {

class Session;

/// The cure of the finding whose effect the user wants to see: set by findings, shown by the panel "What if".
class ChosenCure : public QObject {
    Q_OBJECT
public:
    /// `session` outlives this object.
    explicit ChosenCure(Session& session);

    const QString& title() const { return m_title; }
    const Cure& cure() const { return m_cure; }
    void choose(QString title, Cure cure);

signals:
    void chosen();

private:
    QString m_title; ///< of the finding; empty: none was chosen
    Cure m_cure;
};

} // namespace warpline
