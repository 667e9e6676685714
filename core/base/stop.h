#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <utility>

namespace warpline {

/// Thrown by long loops whose job was stopped, so that no caller in between sees a partial result. Does not
/// leave core: functions that document a result for a stop request catch it, and so does JobQueue.
struct Stopped { };

/// Iterations of a loop between two checks of its stop token.
inline constexpr std::size_t stepsBetweenStops = 65'536;

/// Throws Stopped when `stop` is requested.
inline void throwIfStopped(const std::stop_token& stop)
{
    if (stop.stop_requested())
        throw Stopped{};
}

/// Counts iterations of a loop that is not a range of numbers. Throws Stopped at the first, and after every
/// stepsBetweenStops iterations, when a stop is requested.
class StopCheck {
public:
    explicit StopCheck(std::stop_token stop)
        : m_stop(std::move(stop))
    {
    }

    void step()
    {
        if (m_steps++ % stepsBetweenStops == 0)
            throwIfStopped(m_stop);
    }

private:
    std::stop_token m_stop;
    std::size_t m_steps = 0;
};

/// The numbers [first, last) for a range-for. Throws Stopped at the first number, and after every
/// stepsBetweenStops numbers, when a stop is requested. The token must outlive the loop.
template <typename Number> class Stoppable {
public:
    Stoppable(Number first, Number last, const std::stop_token& stop)
        : m_first(first),
          m_last(last < first ? first : last),
          m_stop(stop)
    {
        throwIfStopped(stop);
    }

    struct End {
        Number last;
    };
    class Iterator {
    public:
        Iterator(Number at, const std::stop_token& stop)
            : m_at(at),
              m_stop(&stop)
        {
        }
        Number operator*() const { return m_at; }
        Iterator& operator++()
        {
            if (++m_at % stepsBetweenStops == 0)
                throwIfStopped(*m_stop);
            return *this;
        }
        friend bool operator!=(const Iterator& at, const End& end) { return at.m_at != end.last; }

    private:
        Number m_at;
        const std::stop_token* m_stop;
    };

    Iterator begin() const { return {m_first, m_stop}; }
    End end() const { return {m_last}; }

private:
    Number m_first;
    Number m_last;
    const std::stop_token& m_stop;
};

/// The events [first, last), or any other numbers, for a stoppable loop.
template <typename Number> Stoppable<Number> stoppable(Number first, Number last, const std::stop_token& stop)
{
    return {first, last, stop};
}

/// The items of a container for a range-for that checks a stop token in the same way. Container and token
/// must outlive the loop.
template <typename Container> class StoppableItems {
public:
    StoppableItems(Container& items, const std::stop_token& stop)
        : m_items(items),
          m_stop(stop)
    {
        throwIfStopped(stop);
    }

    class Iterator {
    public:
        Iterator(decltype(std::declval<Container&>().begin()) at, const std::stop_token& stop)
            : m_at(at),
              m_stop(&stop)
        {
        }
        decltype(auto) operator*() const { return *m_at; }
        Iterator& operator++()
        {
            ++m_at;
            if (++m_steps % stepsBetweenStops == 0)
                throwIfStopped(*m_stop);
            return *this;
        }
        friend bool operator!=(const Iterator& a, const Iterator& b) { return a.m_at != b.m_at; }

    private:
        decltype(std::declval<Container&>().begin()) m_at;
        const std::stop_token* m_stop;
        std::size_t m_steps = 0;
    };

    Iterator begin() const { return {m_items.begin(), m_stop}; }
    Iterator end() const { return {m_items.end(), m_stop}; }

private:
    Container& m_items;
    const std::stop_token& m_stop;
};

/// The items of `items` for a stoppable loop.
template <typename Container>
StoppableItems<Container> stoppableItems(Container& items, const std::stop_token& stop)
{
    return {items, stop};
}

} // namespace warpline
