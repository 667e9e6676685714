#pragma once

namespace warpline {

/// For as long as it lives the thread that made it counts as one that works: calls of inParallel() get no
/// more helpers than processors are left by all such threads and the helpers that are taken.
class WorkingThread {
public:
    WorkingThread();
    ~WorkingThread();
    WorkingThread(const WorkingThread&) = delete;
    WorkingThread& operator=(const WorkingThread&) = delete;
};

} // namespace warpline
