#pragma once

#include <QObject>
#include <QString>

namespace warpline {

/// Says when background work could not be done, whichever panel asked for it: memory that ran out must not
/// end the program, and must not pass without a word. One object, of the GUI thread.
class JobFailures : public QObject {
    Q_OBJECT
public:
    static JobFailures& shared();
    /// Emits happened(message).
    void tell(const QString& message) { emit happened(message); }

signals:
    /// A whole sentence.
    void happened(const QString& message);
};

} // namespace warpline
