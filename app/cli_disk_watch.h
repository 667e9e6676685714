#pragma once

#include <thread>

namespace warpline::cli {

/// Says so when the disk does not answer, once; and takes the signals that end the program: the thread that
/// waits for a disk of the network may not. One in a program, in main().
class DiskWatch {
public:
    DiskWatch();
    ~DiskWatch();
    DiskWatch(const DiskWatch&) = delete;
    DiskWatch& operator=(const DiskWatch&) = delete;

private:
    std::jthread m_thread;
};

} // namespace warpline::cli
