#pragma once

namespace warpline {

/// Counts its thread as working while it lives: inParallel() and handOut() start only as many helpers as
/// processors are free of working threads and of other helpers.
class WorkingThread {
public:
    WorkingThread();
    ~WorkingThread();
    WorkingThread(const WorkingThread&) = delete;
    WorkingThread& operator=(const WorkingThread&) = delete;
};

} // namespace warpline
