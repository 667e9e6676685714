#pragma once

#include <QThreadPool>

#include <memory>
#include <utility>

namespace warpline {

/// Destroys `value` on a worker thread. Giving back the memory of millions of events takes longer than a
/// frame may, so what can be large (a trace, a list of events, an answer that nobody wants any more) does not
/// die on the GUI thread.
template <typename Value> void disposeElsewhere(Value value)
{
    QThreadPool::globalInstance()->start([held = std::make_shared<Value>(std::move(value))] {});
}

} // namespace warpline
