#pragma once

#include "core/base/message.h"

#include <vector>

namespace warpline {

class Trace;
class TraceAnalysis;

/// That the file of `trace` is cut off: all that is said is of its beginning. Empty: it is whole.
Message cutOffNote(const Trace& trace);
/// That tables, names or many rows of `trace` could not be read. Empty: not so, or cutOffNote() says why.
Message unreadNote(const Trace& trace);
/// Why the results of `trace` are not of a whole recording: partNote(), cutOffNote() and unreadNote() that
/// are not empty.
std::vector<Message> incompleteNotes(const Trace& trace);

/// Whether GPU work or calls of `trace` could not be read: its file is cut off, or many of their rows were
/// left out. A gate that such a report does not fail has no verdict.
bool lacksWork(const Trace& trace);

/// Work that a report lacks although calls start it.
struct LostWork {
    Message what; ///< "No kernel is in this report, although 14,542 launches were called. ..."; empty: none
    Message remedy; ///< empty: `what` says it

    Message text() const { return what + remedy; }
};
/// Of kernels or of all work of graphs, with nsys' own message; or that the export left it out. Of a report
/// with other GPU work, only many calls count, and nothing of a part of a recording: the last calls of any
/// may have their work outside. O(events) for the first of `facts`.
LostWork lostGpuWork(TraceAnalysis& facts);
/// The same of copies, where the report has other work of the GPU.
LostWork lostCopies(TraceAnalysis& facts);

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
