#include "app/cli_disk_watch.h"

#include "app/cli_output.h"
#include "core/base/file_wait.h"
#include "core/base/platform/platform.h"
#include "core/render/render.h"

#include <chrono>
#include <exception>
#include <stop_token>
#include <vector>

namespace warpline::cli {

namespace {

using namespace std::chrono_literals;

std::vector<Argument> argumentsOf(const SlowestFile& slowest)
{
    return {
        {"path", Name{slowest.path.empty() ? "?" : slowest.path}}, {"seconds", Ordinal{slowest.seconds()}}};
}

void watchDisk(const std::stop_token& ends)
{
    bool isTold = false;
    while (!ends.stop_requested()) {
        const int signal = platform::nextEnd(200ms);
        const SlowestFile slowest = slowestFile();
        if (signal != 0) {
            if (slowest.time >= 1s)
                complain(plain(Message("cli.disk_ended",
                    "Ended. The disk did not answer for {seconds} s: {path}.", argumentsOf(slowest))));
            platform::endBy(signal);
        } else if (slowest.isSilent() && !isTold && !ends.stop_requested()) {
            isTold = true;
            complain(plain(Message("cli.disk_silent",
                "The disk has not answered for {seconds} s: {path}. Wait, or end the program with Ctrl+C.",
                argumentsOf(slowest))));
        }
    }
}

} // namespace

DiskWatch::DiskWatch()
{
    platform::leaveEndsToOthers();
    try {
        m_thread = std::jthread(watchDisk);
    } catch (const std::exception&) { // no more threads, or no memory for one
        platform::takeEnds();
    }
}

DiskWatch::~DiskWatch()
{
    platform::takeEnds();
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.detach(); // the program does not wait for its next look
}

} // namespace warpline::cli
