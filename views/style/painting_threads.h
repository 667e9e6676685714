#pragma once

namespace warpline {

/// Keeps what Qt paints with to one thread beside the window's own. Qt fills large areas on its global pool,
/// which starts a thread for each processor and keeps them for half a minute: beside the threads that answer
/// questions they would only wait for processors.
void boundPaintingThreads();

} // namespace warpline
