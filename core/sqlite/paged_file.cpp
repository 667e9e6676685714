#include "core/sqlite/paged_file.h"

#include "core/files/plain_file.h"
#include "core/sqlite/database.h"
#include "core/sqlite/page_format.h"

#include <algorithm>

namespace warpline::sqlite {

namespace {

/// Fits into the second-level cache of a core, so that bytes are decoded where they were copied to.
constexpr std::uint32_t windowBytes = 256 * 1024;
/// SQLite never uses the page that holds this byte: it is where locks are taken.
constexpr std::uint64_t lockByte = 0x40000000;

/// Places in the header of a database: https://www.sqlite.org/fileformat2.html, section 1.3.
enum HeaderPlace : std::size_t {
    pageSize = 16,
    reservedBytes = 20,
    payloadFractions = 21,
    changeCounter = 24,
    pageCount = 28,
    schemaFormat = 44,
    largestRoot = 52,
    textEncoding = 56,
    versionValidFor = 92,
};

/// Why pages of a file with this header are not read directly; empty when they can be.
std::string oddity(const std::array<Byte, fileHeaderBytes>& header, std::uint64_t fileBytes)
{
    const auto number = [&](HeaderPlace place) { return bigEndian32(header.data() + place); };
    constexpr std::uint32_t fractions = 0x402020; // 64, 32, 32: fixed by the format
    constexpr std::uint32_t utf8 = 1;
    constexpr std::uint32_t newestFormat = 4;
    const std::uint32_t size = bigEndian16(header.data() + pageSize);
    const std::uint64_t bytes = size == 1 ? 65536 : size;
    if (bytes < 512 || !std::has_single_bit(bytes) || bytes - header[reservedBytes] < 480)
        return "its page size is unusual";
    if ((bigEndian32(header.data() + payloadFractions - 1) & 0xFFFFFFU) != fractions)
        return "its header is unusual";
    if (number(schemaFormat) == 0 || number(schemaFormat) > newestFormat)
        return "its schema format is unknown";
    if (number(largestRoot) != 0)
        return "it uses auto-vacuum";
    if (number(textEncoding) != utf8)
        return "its texts are not UTF-8";
    if (number(changeCounter) != number(versionValidFor) || number(pageCount) == 0
        || number(pageCount) * bytes > fileBytes)
        return "its header does not contain its size";
    return {};
}

} // namespace

std::shared_ptr<const PagedFile> PagedFile::open(const ReportFile& file, std::string& whyNot)
{
    if (!file.isPlain()) {
        whyNot = "an unfinished change is next to it";
        return nullptr;
    }
    const auto plain = plainFileOf(file.path());
    auto reader
        = plain.ok() ? platform::FileReader::open(platform::pathOf(plain.value()->path())) : std::nullopt;
    const auto state = reader ? reader->state() : std::nullopt;
    std::array<Byte, fileHeaderBytes> header{};
    if (!state || reader->readAt(0, header.data(), fileHeaderBytes) != fileHeaderBytes) {
        whyNot = "it cannot be read";
        return nullptr;
    }
    if (whyNot = oddity(header, state->bytes); !whyNot.empty())
        return nullptr;
    std::shared_ptr<PagedFile> paged(new PagedFile(std::move(*reader), *state));
    const std::uint32_t size = bigEndian16(header.data() + pageSize);
    paged->m_pageBytes = size == 1 ? 65536 : size;
    paged->m_usableBytes = paged->m_pageBytes - header[reservedBytes];
    paged->m_pages = bigEndian32(header.data() + pageCount);
    return paged;
}

bool PagedFile::isUnchanged() const
{
    return m_reader.state() == m_state;
}

bool PagedFile::isPage(std::uint32_t page) const
{
    return page >= 1 && page <= m_pages && page != lockByte / m_pageBytes + 1;
}

bool PagedFile::read(std::uint32_t first, std::uint32_t count, Byte* to) const
{
    const std::uint64_t bytes = std::uint64_t{count} * m_pageBytes;
    return m_reader.readAt(std::uint64_t{first - 1} * m_pageBytes, to, bytes) == bytes;
}

PageWindow::PageWindow(const PagedFile& file)
    : m_file(file),
      m_most(std::max<std::uint32_t>(1, windowBytes / file.pageBytes()))
{
}

const Byte* PageWindow::at(std::uint32_t page)
{
    const bool held = page >= m_first && page - m_first < m_held;
    if (!held && !fill(page))
        return nullptr;
    ++m_used;
    return m_bytes.data() + std::size_t{page - m_first} * m_file.pageBytes();
}

bool PageWindow::fill(std::uint32_t page)
{
    if (!m_file.isPage(page))
        return false;
    // Tables written at the same time are interleaved: reading ahead must pay off.
    if (m_held > 0)
        m_length = m_used * 2 >= m_held ? std::min(m_length * 2, m_most) : std::max(m_length / 2, 1U);
    m_bytes.resize(std::size_t{m_most} * m_file.pageBytes() + pagePadding);
    m_first = page;
    m_held = std::min(m_length, m_file.pages() - page + 1);
    m_used = 0;
    if (m_file.read(m_first, m_held, m_bytes.data()))
        return true;
    m_held = 0;
    return false;
}

} // namespace warpline::sqlite
