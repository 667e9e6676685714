#include "core/files/text_source.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::size_t inputBytes = std::size_t{256} * 1024;
constexpr std::size_t magicBytes = 8; // more than any kind of packing has
// Traces are packed 10 to 60 times. What goes beyond this was made to fill the memory.
constexpr std::uint64_t maxUnpackRatio = 200;
constexpr std::uint64_t minCheckedBytes = std::uint64_t{1} << 30U;

} // namespace

Result<TextSource> TextSource::open(const std::string& path)
{
    auto file = platform::FileReader::open(platform::pathOf(path));
    if (!file)
        return Error{"file.no_access", "{path} cannot be opened. Check its name and permissions.",
            {{"path", Name{path}}}};
    const auto state = file->state();
    return TextSource(std::move(*file), state ? state->bytes : 0);
}

TextSource::TextSource(platform::FileReader file, std::uint64_t fileBytes)
    : m_file(std::move(file)),
      m_fileBytes(fileBytes)
{
    std::array<char, magicBytes> head{};
    const std::string_view begin(head.data(), m_file.readAt(0, head.data(), head.size()));
    m_inflater = inflaterFor(begin);
}

std::string_view TextSource::packed() const
{
    return {m_input.data() + m_taken, m_input.size() - m_taken};
}

/// Reads the next piece of the file after the bytes that are not unpacked yet.
void TextSource::fill()
{
    m_input.erase(m_input.begin(), m_input.begin() + static_cast<std::ptrdiff_t>(m_taken));
    m_taken = 0;
    const std::size_t kept = m_input.size();
    m_input.resize(kept + inputBytes);
    const std::size_t read = m_file.readAt(m_offset, m_input.data() + kept, inputBytes);
    m_offset += read;
    m_input.resize(kept + read);
}

/// A file may be several packed streams, one after another; zeros that fill up a block do not count.
void TextSource::startNext()
{
    if (packed().size() < magicBytes)
        fill();
    m_done = packingOf(packed()).empty() || !m_inflater->restart();
}

std::size_t TextSource::read(char* to, std::size_t count)
{
    if (!m_inflater) {
        const std::size_t read = m_file.readAt(m_offset, to, count);
        m_offset += read;
        return read;
    }
    std::size_t done = 0;
    while (done < count && !m_done) {
        if (packed().empty())
            fill();
        const bool isAtEnd = packed().empty();
        const Inflater::Step step = m_inflater->step(packed(), {to + done, count - done});
        m_taken += step.taken;
        done += step.written;
        m_unpacked += step.written;
        if (m_unpacked > minCheckedBytes && m_unpacked > maxUnpackRatio * (m_offset - packed().size())) {
            m_done = m_damaged = true;
            break;
        }
        const bool isStuck = isAtEnd && step.written == 0;
        if (step.state == Inflater::State::Ended)
            startNext();
        else if (step.state == Inflater::State::Damaged || isStuck)
            m_done = m_damaged = true;
    }
    return done;
}

} // namespace warpline
