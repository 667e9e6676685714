#include "app/cli_stop.h"

#include <utility>

namespace warpline::cli {

namespace {

std::stop_token& stopOfRun()
{
    static std::stop_token stop;
    return stop;
}

} // namespace

std::stop_token commandStop()
{
    return stopOfRun();
}

StopScope::StopScope(std::stop_token stop)
{
    stopOfRun() = std::move(stop);
}

StopScope::~StopScope()
{
    stopOfRun() = {};
}

} // namespace warpline::cli
