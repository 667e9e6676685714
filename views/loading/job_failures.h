#pragma once

#include <QObject>
#include <QString>

namespace warpline {

/// Reports failed background work of any panel: out of memory must neither end the program nor go unnoticed.
/// One object, on the GUI thread.
class JobFailures : public QObject {
    Q_OBJECT
public:
    static JobFailures& shared()
    {
        static JobFailures failures;
        return failures;
    }
    /// Emits happened(message).
    void tell(const QString& message) { emit happened(message); }

signals:
    /// A whole sentence.
    void happened(const QString& message);
};

} // namespace warpline
