#include "core/kineto/text_source.h"

#include <algorithm>
#include <array>
#include <vector>

#include <zlib.h>

namespace warpline {

namespace {

constexpr std::size_t inputBytes = std::size_t{256} * 1024;
constexpr int gzipWindow = 15 + 16; // zlib's way to ask for a gzip head

const Bytef* inputOf(const char* bytes)
{
    return reinterpret_cast<const Bytef*>(bytes); // zlib takes bytes as unsigned
}

} // namespace

/// zlib's state, and the input that it has not taken yet. A gzip file may be several, one after another.
struct TextSource::Inflater {
    Inflater()
        : input(inputBytes)
    {
        ready = inflateInit2(&stream, gzipWindow) == Z_OK;
        done = damaged = !ready;
    }
    ~Inflater()
    {
        if (ready)
            inflateEnd(&stream);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    z_stream stream{};
    std::vector<char> input;
    bool ready = false;
    bool done = false;
    bool damaged = false;
};

Result<TextSource> TextSource::open(const std::string& path)
{
    auto file = platform::FileReader::open(platform::pathOf(path));
    if (!file)
        return Error{path + " cannot be opened. Is it there, and may you read it?"};
    const auto state = file->state();
    return TextSource(std::move(*file), state ? state->bytes : 0);
}

TextSource::TextSource(platform::FileReader file, std::uint64_t fileBytes)
    : m_file(std::move(file)),
      m_fileBytes(fileBytes)
{
    std::array<char, 2> head{};
    if (isGzip({head.data(), m_file.readAt(0, head.data(), head.size())}))
        m_inflater = std::make_unique<Inflater>();
}

TextSource::TextSource(TextSource&&) noexcept = default;
TextSource& TextSource::operator=(TextSource&&) noexcept = default;
TextSource::~TextSource() = default;

/// Gives zlib the next piece of the file. Returns how many bytes there were.
std::size_t TextSource::fill()
{
    Inflater& inflater = *m_inflater;
    const std::size_t read = m_file.readAt(m_offset, inflater.input.data(), inflater.input.size());
    m_offset += read;
    inflater.stream.next_in = const_cast<Bytef*>(inputOf(inflater.input.data())); // zlib does not write to it
    inflater.stream.avail_in = static_cast<uInt>(read);
    return read;
}

std::size_t TextSource::read(char* to, std::size_t count)
{
    if (!m_inflater) {
        const std::size_t read = m_file.readAt(m_offset, to, count);
        m_offset += read;
        return read;
    }
    Inflater& inflater = *m_inflater;
    z_stream& stream = inflater.stream;
    std::size_t done = 0;
    while (done < count && !inflater.done) {
        if (stream.avail_in == 0 && fill() == 0) {
            inflater.done = inflater.damaged = true;
            break;
        }
        const std::size_t room = std::min<std::size_t>(count - done, std::size_t{1} << 30U);
        stream.next_out = reinterpret_cast<Bytef*>(to + done);
        stream.avail_out = static_cast<uInt>(room);
        const int result = inflate(&stream, Z_NO_FLUSH);
        done += room - stream.avail_out;
        if (result == Z_STREAM_END) {
            // Another member may follow; zeros that fill up a block do not count.
            if (stream.avail_in == 0)
                fill();
            inflater.done = stream.avail_in < 2 || stream.next_in[0] != 0x1f || stream.next_in[1] != 0x8b
                || inflateReset(&stream) != Z_OK;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            inflater.done = inflater.damaged = true;
        }
    }
    return done;
}

bool TextSource::damaged() const
{
    return m_inflater && m_inflater->damaged;
}

std::uint64_t TextSource::fileBytesRead() const
{
    return m_offset;
}

std::uint64_t TextSource::fileBytes() const
{
    return m_fileBytes;
}

bool isGzip(std::string_view head)
{
    return head.starts_with("\x1f\x8b");
}

std::string textOfHead(std::string_view head)
{
    if (!isGzip(head))
        return std::string(head);
    z_stream stream{};
    if (inflateInit2(&stream, gzipWindow) != Z_OK)
        return {};
    std::array<char, 4096> text{};
    stream.next_in = const_cast<Bytef*>(inputOf(head.data()));
    stream.avail_in = static_cast<uInt>(head.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    inflate(&stream, Z_SYNC_FLUSH); // whatever there is; a head is cut off anyhow
    inflateEnd(&stream);
    return {text.data(), std::min<std::size_t>(text.size(), stream.total_out)};
}

} // namespace warpline
