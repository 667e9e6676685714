#pragma once

#include "core/replay/cure.h"

#include <QObject>
#include <QString>

#include <memory>

namespace warpline {

class Session;
class Trace;

/// The cure of the finding whose effect the user wants to see: set by findings, shown by the panel "What if".
class ChosenCure : public QObject {
    Q_OBJECT
public:
    /// `session` outlives this object.
    explicit ChosenCure(Session& session);

    const QString& title() const { return m_title; }
    const Cure& cure() const { return m_cure; }
    /// `cure` is of the panels' report, and goes with it.
    void choose(QString title, Cure cure);

signals:
    void chosen();

private:
    Session& m_session;
    std::weak_ptr<const Trace> m_of; ///< the panels' report when it was chosen
    QString m_title; ///< of the finding; empty: none was chosen
    Cure m_cure;
};

} // namespace warpline
