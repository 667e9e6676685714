#include "core/kineto/block_events.h"

namespace warpline {

namespace {

std::string_view runOf(const EventBlock& block)
{
    return std::string_view(block.text).substr(block.run.first, block.run.second - block.run.first);
}

} // namespace

BlockEvents::BlockEvents(const EventBlock& block)
    : m_block(&block),
      m_run(runOf(block)),
      m_number(block.firstEvent)
{
}

bool BlockEvents::next(RawEvent& event)
{
    return (!m_splitter && nextOfRun(event)) || nextToldApart(event);
}

/// The next event of the run. False at the end of the run and at a broken event.
bool BlockEvents::nextOfRun(RawEvent& event)
{
    while (m_run.take(',')) { }
    if (m_run.atEnd())
        return false;
    const char* const from = m_run.at();
    if (parseEvent(m_run, event)) {
        ++m_number;
        return true;
    }
    const std::string_view run = runOf(*m_block);
    m_splitter.emplace(run.substr(static_cast<std::size_t>(from - run.data())));
    m_block = &m_rest;
    return false;
}

bool BlockEvents::nextToldApart(RawEvent& event)
{
    for (;;) {
        while (m_at < m_block->events.size()) {
            const auto& [first, last] = m_block->events[m_at++];
            ++m_number;
            if (parseEvent(std::string_view(m_block->text).substr(first, last - first), event))
                return true;
            ++m_broken;
        }
        if (!m_splitter || !m_splitter->next(m_rest))
            return false;
        m_at = 0;
    }
}

} // namespace warpline
