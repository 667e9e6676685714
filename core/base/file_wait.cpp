#include "core/base/file_wait.h"

#include "core/base/platform/platform.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace warpline {

namespace {

using Clock = std::chrono::steady_clock;

/// What one thread waits for.
struct Place {
    std::atomic<bool> isTaken = false;
    std::atomic<std::int64_t> since = 0; ///< of the clock; 0: it does not wait
    std::atomic<int> file = -1;
    std::mutex mutex; ///< of path
    std::string path; ///< where file is -1

    void setPath(const std::string& name)
    {
        const std::scoped_lock lock(mutex);
        path = name;
    }
};

/// Never destroyed: a thread may look at them while the program ends.
std::array<Place, 256>& places()
{
    static auto* const all = new std::array<Place, 256>;
    return *all;
}

/// The place of this thread while it lives; none for the threads of a crowd.
class OwnPlace {
public:
    OwnPlace()
    {
        for (Place& place : places()) {
            if (!place.isTaken.exchange(true)) {
                m_place = &place;
                return;
            }
        }
    }
    ~OwnPlace()
    {
        if (m_place)
            m_place->isTaken = false;
    }
    OwnPlace(const OwnPlace&) = delete;
    OwnPlace& operator=(const OwnPlace&) = delete;

    Place* get() const { return m_place; }

private:
    Place* m_place = nullptr;
};

Place* ownPlace()
{
    static thread_local const OwnPlace own;
    return own.get();
}

} // namespace

FileWait::FileWait(int file)
    : m_isOuter(ownPlace() && ownPlace()->since.load(std::memory_order_relaxed) == 0)
{
    if (!m_isOuter)
        return;
    if (file < 0)
        ownPlace()->setPath({});
    ownPlace()->file.store(file, std::memory_order_relaxed);
    ownPlace()->since.store(Clock::now().time_since_epoch().count(), std::memory_order_release);
}

FileWait::FileWait(const std::string& path)
    : FileWait(-1)
{
    if (m_isOuter)
        ownPlace()->setPath(path);
}

FileWait::~FileWait()
{
    if (m_isOuter)
        ownPlace()->since.store(0, std::memory_order_release);
}

SlowestFile slowestFile(Clock::time_point begin)
{
    Place* slowest = nullptr;
    std::int64_t first = Clock::now().time_since_epoch().count();
    const std::int64_t now = first;
    for (Place& place : places()) {
        const std::int64_t since = place.since.load(std::memory_order_acquire);
        if (since != 0 && since < first && since > begin.time_since_epoch().count()) {
            first = since;
            slowest = &place;
        }
    }
    if (!slowest)
        return {};
    const int file = slowest->file.load(std::memory_order_relaxed);
    const std::scoped_lock lock(slowest->mutex);
    return {std::chrono::duration_cast<std::chrono::milliseconds>(Clock::duration(now - first)),
        file < 0 ? slowest->path : platform::nameOfFile(file)};
}

} // namespace warpline
