#pragma once

#include "core/base/message.h"

namespace warpline {

class Trace;

/// That the file of `trace` is cut off: all that is said is of its beginning. Empty: it is whole.
Message cutOffNote(const Trace& trace);
/// That tables, names or many rows of `trace` could not be read. Empty: not so, or cutOffNote() says why.
Message unreadNote(const Trace& trace);

/// "14,542 launches were called, but no kernel is in the report: nsys lost what the GPU did. ...", with nsys'
/// own message, when calls launch kernels or graphs but the report has none of their work; or that the export
/// left it out. Empty: not the case. O(events).
Message lostGpuWork(const Trace& trace);
/// The same of copies, where the report has other work of the GPU.
Message lostCopies(const Trace& trace);

/// That the file was exported with selected tables only; and what to do.
Message selectedTables(const Trace& trace);
Message exportAgain();

/// The message for a report without GPU work.
struct NoGpuWork {
    Message what; ///< whole sentences; empty: the report holds GPU work
    Message causes; ///< the usual reason, and the command to use, in lower case; empty: none
};
NoGpuWork explainNoGpuWork(const Trace& trace);

/// Both in one message, for a report without GPU work: the reason, and the command to use. Empty for other
/// reports.
Message noGpuWork(const Trace& trace);

} // namespace warpline
