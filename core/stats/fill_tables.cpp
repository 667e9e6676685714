#include "core/stats/fill_tables.h"

#include "core/base/parallel.h"
#include "core/store/trace.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <vector>

namespace warpline {

namespace {

/// Tables computed ahead. Each is computed by one thread: by the consumer, or by a helper that is a few
/// tables ahead.
class TablesAhead {
public:
    TablesAhead(const Trace& trace, std::span<const TableRequest> asked)
        : m_trace(trace),
          m_asked(asked),
          m_tables(asked.size())
    {
    }

    /// Computes next tables until all are done or end() was called.
    void help()
    {
        std::unique_lock lock(m_mutex);
        while (true) {
            m_changed.wait(
                lock, [this] { return m_ended || m_next >= m_tables.size() || m_next < m_used + ahead; });
            if (m_ended || m_next >= m_tables.size())
                return;
            make(m_next++, lock);
        }
    }

    /// Table `number`; those before it have been asked for.
    Cells take(std::size_t number)
    {
        std::unique_lock lock(m_mutex);
        m_used = number;
        if (number >= m_next) {
            m_next = number + 1;
            make(number, lock);
        }
        m_changed.notify_all();
        m_changed.wait(lock, [&] { return m_tables[number].made; });
        if (m_tables[number].failed)
            std::rethrow_exception(m_tables[number].failed);
        return std::move(m_tables[number].cells);
    }

    void end()
    {
        const std::scoped_lock lock(m_mutex);
        m_ended = true;
        m_changed.notify_all();
    }

private:
    static constexpr std::size_t ahead = 4; ///< limit of finished tables in memory

    struct Table {
        Cells cells;
        std::exception_ptr failed;
        bool made = false;
    };

    void make(std::size_t number, std::unique_lock<std::mutex>& lock)
    {
        m_changed.notify_all(); // the consumer's position has changed
        lock.unlock();
        Table table;
        try {
            table.cells = m_asked[number].table->fill(m_trace, m_asked[number].query);
        } catch (...) {
            table.failed = std::current_exception();
        }
        table.made = true;
        lock.lock();
        m_tables[number] = std::move(table);
        m_changed.notify_all();
    }

    const Trace& m_trace;
    std::span<const TableRequest> m_asked;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<Table> m_tables;
    std::size_t m_next = 0; ///< the first that no thread has taken
    std::size_t m_used = 0; ///< the one that is wanted now
    bool m_ended = false;
};

} // namespace

void fillTables(const Trace& trace, std::span<const TableRequest> asked,
    const std::function<bool(std::size_t, Cells)>& use)
{
    constexpr std::size_t minPerThread = 200'000; ///< events
    const std::size_t threads
        = std::min(threadsFor(trace.kernels().size() + trace.apiCalls().size(), minPerThread), asked.size());
    TablesAhead tables(trace, asked);
    Helpers helpers;
    for (std::size_t t = 1; t < threads; ++t)
        helpers.tryStart([&tables] { tables.help(); });
    helpers.run([&] {
        for (std::size_t i = 0; i < asked.size() && use(i, tables.take(i)); ++i) { }
    });
    tables.end();
    helpers.join();
}

} // namespace warpline
