// Reads the rows of a table from its leaf pages: finds cells, joins records from overflow pages, and decodes
// them by layouts that are computed once per record header.

#include "core/sqlite/page_table.h"

#include "core/sqlite/page_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace warpline::sqlite {

namespace {

/// Number of cached record layouts.
constexpr std::size_t layoutsKept = 32;

/// The first `bytes` (at least one) of eight bytes in memory order; 0 for the others.
std::uint64_t firstBytes(std::uint64_t eight, std::size_t bytes)
{
    const std::size_t others = 8 * (sizeof eight - bytes);
    constexpr std::uint64_t all = ~std::uint64_t{0};
    return eight & (std::endian::native == std::endian::little ? all >> others : all << others);
}

} // namespace

PageRows::PageRows(const PageTable& table, std::int64_t first, std::int64_t last)
    : m_table(table),
      m_first(first),
      m_last(last),
      m_pages(table.file()),
      m_overflowPages(table.file()),
      m_row(table.columnCount()),
      m_layouts(layoutsKept + 1),
      m_leaf(static_cast<std::size_t>(
          std::ranges::lower_bound(table.leaves(), first, {}, &PageTable::Leaf::lastRow)
          - table.leaves().begin()))
{
    m_row.cellAt(0).kind = Row::Kind::Integer;
}

PageRows::Step PageRows::nextLeaf()
{
    const std::span<const PageTable::Leaf> leaves = m_table.leaves();
    if (m_leaf == leaves.size() || (m_any && m_lastRow >= m_last))
        return Step::Done;
    if (m_leaf > 0 && leaves[m_leaf - 1].lastRow >= m_last)
        return Step::Done;
    const PageTable::Leaf& leaf = leaves[m_leaf];
    m_page = m_pages.at(leaf.page);
    if (!m_page || *m_page != leafOfTable)
        return Step::Declined;
    m_cell = 0;
    m_cells = bigEndian16(m_page + 3);
    const bool isRoot = leaf.page == m_table.root();
    if (m_cells > mostCells(m_table.file().pageBytes()) || (m_cells == 0 && !isRoot)) {
        m_cells = 0;
        return Step::Declined;
    }
    if (m_leaf > 0 && (!m_any || m_lastRow < leaves[m_leaf - 1].lastRow)) {
        m_lastRow = leaves[m_leaf - 1].lastRow;
        m_any = true;
    }
    m_leafLimit = leaf.lastRow;
    ++m_leaf;
    return Step::Row;
}

PageRows::Step PageRows::readCell()
{
    const std::uint32_t usable = m_table.file().usableBytes();
    const Byte* const end = m_page + usable;
    const std::uint32_t place = bigEndian16(m_page + leafHeaderBytes + std::size_t{m_cell} * 2);
    if (place < leafHeaderBytes + std::size_t{m_cells} * 2 || place >= usable)
        return Step::Declined;
    std::uint64_t payload = 0;
    std::uint64_t key = 0;
    const Byte* const local = readVarint(readVarint(m_page + place, payload), key);
    const auto rowId = static_cast<std::int64_t>(key);
    if ((m_any && rowId <= m_lastRow) || rowId > m_leafLimit)
        return Step::Declined;
    if (rowId > m_last) {
        m_cell = m_cells;
        m_leaf = m_table.leaves().size();
        return Step::Done;
    }
    const std::uint64_t onPage = localBytes(payload, usable);
    const Byte* record = local;
    if (local > end || onPage > static_cast<std::uint64_t>(end - local))
        return Step::Declined;
    if (rowId >= m_first) {
        if (onPage < payload)
            record = joinOverflow(local, payload, onPage);
        if (!record || !decode(record, payload, rowId))
            return Step::Declined;
    }
    ++m_cell;
    m_lastRow = rowId;
    m_any = true;
    return Step::Row;
}

const Byte* PageRows::joinOverflow(const Byte* local, std::uint64_t payload, std::uint64_t localSize)
{
    const PagedFile& file = m_table.file();
    const std::uint32_t usable = file.usableBytes();
    const std::uint64_t fileBytes = std::uint64_t{file.pages()} * file.pageBytes();
    m_overflowBytes += payload;
    // No page belongs to two rows: a table cannot hold more than its file.
    if (payload > fileBytes || m_overflowBytes > fileBytes
        || localSize + 4 > static_cast<std::uint64_t>(m_page + usable - local))
        return nullptr;
    m_overflow.resize(payload + pagePadding);
    std::copy_n(local, localSize, m_overflow.data());
    std::uint32_t page = bigEndian32(local + localSize);
    for (std::uint64_t done = localSize; done < payload;) {
        const Byte* const bytes = m_overflowPages.at(page);
        if (!bytes)
            return nullptr;
        const std::uint64_t part = std::min<std::uint64_t>(usable - 4, payload - done);
        std::copy_n(bytes + 4, part, m_overflow.data() + done);
        done += part;
        page = bigEndian32(bytes);
    }
    return m_overflow.data();
}

bool PageRows::decode(const Byte* record, std::uint64_t size, std::int64_t rowId)
{
    const Layout* const layout = layoutOf(record, size);
    if (!layout)
        return false;
    Row::Cell* const cells = &m_row.cellAt(0);
    const Layout::Value* value = layout->values.data();
    cells[0].number = rowId;
    if (m_inRow != layout) {
        for (const Layout::Value* each = value; each != value + layout->constants; ++each)
            cells[each->slot] = {.number = each->constant, .kind = each->kind};
        m_inRow = layout;
    }
    for (const Layout::Value* const end = value + layout->numbers; value != end; ++value)
        cells[value->slot].number
            = static_cast<std::int64_t>(bigEndian64(record + value->offset)) >> value->shift;
    for (const Layout::Value& other : std::span(layout->values).subspan(layout->constants))
        decodeOther(other, record, rowId);
    return true;
}

void PageRows::decodeOther(const Layout::Value& value, const Byte* record, std::int64_t rowId)
{
    Row::Cell& cell = m_row.cellAt(value.slot);
    const Byte* const at = record + value.offset;
    cell.kind = value.kind;
    switch (value.read) {
    case Layout::Read::Number:
    case Layout::Read::Constant:
        break; // see decode()
    case Layout::Read::WholeReal:
        cell.number = std::bit_cast<std::int64_t>(
            static_cast<double>(static_cast<std::int64_t>(bigEndian64(at)) >> value.shift));
        break;
    case Layout::Read::Real:
        cell.number = static_cast<std::int64_t>(bigEndian64(at));
        if (std::isnan(std::bit_cast<double>(cell.number)))
            cell = {};
        break;
    case Layout::Read::Bytes:
        cell.number = 0;
        cell.bytes = reinterpret_cast<const char*>(at);
        cell.size = value.size;
        break;
    case Layout::Read::RowId:
        cell.number = rowId;
        break;
    }
}

void PageRows::Layout::sortValues()
{
    const auto numbersEnd = std::ranges::stable_partition(values, [](const Value& value) {
        return value.read == Read::Number;
    }).begin();
    const auto constantsEnd = std::stable_partition(
        numbersEnd, values.end(), [](const Value& value) { return value.read == Read::Constant; });
    numbers = static_cast<std::size_t>(numbersEnd - values.begin());
    constants = static_cast<std::size_t>(constantsEnd - values.begin());
}

const PageRows::Layout* PageRows::layoutOf(const Byte* record, std::uint64_t size)
{
    constexpr std::size_t chunkBytes = sizeof(std::uint64_t);
    constexpr std::uint64_t mixer = 0x9E3779B97F4A7C15U;
    std::uint64_t headerBytes = 0;
    readVarint(record, headerBytes);
    const std::size_t chunks = (headerBytes + chunkBytes - 1) / chunkBytes;
    if (headerBytes > size || chunks > Layout::maxChunks || chunks == 0) {
        Layout& own = m_layouts.front();
        own.chunks = 0;
        m_inRow = nullptr;
        return parse(record, size, own) ? &own : nullptr;
    }
    std::array<std::uint64_t, Layout::maxChunks>
        header; // NOLINT(cppcoreguidelines-pro-type-member-init): filled
    std::memcpy(header.data(), record, chunks * chunkBytes);
    if (const std::size_t rest = headerBytes % chunkBytes; rest != 0)
        header[chunks - 1] = firstBytes(header[chunks - 1], rest);
    const auto isOf = [&](const Layout& layout) {
        std::uint64_t difference = layout.chunks ^ chunks;
        for (std::size_t i = 0; i < chunks; ++i)
            difference |= layout.header[i] ^ header[i];
        return difference == 0;
    };
    if (m_lastLayout && isOf(*m_lastLayout))
        return m_lastLayout->fits(size) ? m_lastLayout : nullptr;
    std::uint64_t hash = headerBytes;
    for (std::size_t i = 0; i < chunks; ++i)
        hash = (hash ^ header[i]) * mixer;
    Layout& layout = m_layouts[1 + (hash >> 32U) % layoutsKept];
    m_lastLayout = &layout;
    if (isOf(layout))
        return layout.fits(size) ? &layout : nullptr;
    layout.chunks = 0;
    m_inRow = nullptr;
    if (!parse(record, size, layout))
        return nullptr;
    std::copy_n(header.begin(), chunks, layout.header.begin());
    layout.chunks = chunks;
    return &layout;
}

bool PageRows::parse(const Byte* record, std::uint64_t size, Layout& layout) const
{
    const bool parsed = parseHeader(record, size, layout);
    layout.sortValues();
    return parsed;
}

bool PageRows::parseHeader(const Byte* record, std::uint64_t size, Layout& layout) const
{
    layout.values.clear();
    std::uint64_t headerBytes = 0;
    const Byte* type = readVarint(record, headerBytes);
    if (headerBytes > size || headerBytes < static_cast<std::uint64_t>(type - record))
        return false;
    const Byte* const typesEnd = record + headerBytes;
    std::uint64_t at = headerBytes;
    std::uint32_t place = 0;
    const std::span<const PageTable::Source> sources = m_table.sources();
    for (std::size_t i = 0; i < sources.size(); ++i) {
        std::uint64_t serial = 0;
        std::uint64_t before = at;
        while (place <= sources[i].place) {
            if (type >= typesEnd) {
                layout.bytes = at;
                layout.isWhole = true;
                return type == typesEnd && at == size && addMissing(i, layout);
            }
            type = readVarint(type, serial);
            before = at;
            const std::uint64_t bytes = serialBytes(serial);
            if (isReserved(serial) || bytes > size - at || type > typesEnd)
                return false;
            at += bytes;
            ++place;
        }
        if (!addValue(sources[i], serial, before, layout))
            return false;
    }
    layout.bytes = at;
    layout.isWhole = type >= typesEnd;
    return type < typesEnd || (type == typesEnd && at == size);
}

bool PageRows::addValue(
    const PageTable::Source& source, std::uint64_t type, std::uint64_t offset, Layout& layout)
{
    constexpr std::uint64_t real = 7;
    constexpr std::uint64_t zero = 8;
    constexpr std::uint64_t firstText = 12;
    constexpr unsigned bits = 64;
    Layout::Value value;
    value.slot = source.slot;
    value.offset = offset;
    if (source.isRowId) {
        // An alias of the rowid is NULL in the record.
        if (type != 0)
            return false;
        value.read = Layout::Read::RowId;
        value.kind = Row::Kind::Integer;
    } else if (type >= firstText) {
        const std::uint64_t bytes = serialBytes(type);
        if (bytes > std::numeric_limits<std::uint32_t>::max())
            return false;
        value.read = Layout::Read::Bytes;
        value.size = static_cast<std::uint32_t>(bytes);
        value.kind = type % 2 == 0 ? Row::Kind::Blob : Row::Kind::Text;
    } else if (type >= zero) {
        const auto number = static_cast<std::int64_t>(type - zero);
        value.constant = source.isReal ? std::bit_cast<std::int64_t>(static_cast<double>(number)) : number;
        value.kind = source.isReal ? Row::Kind::Real : Row::Kind::Integer;
    } else if (type == real) {
        value.read = Layout::Read::Real;
        value.kind = Row::Kind::Real;
    } else if (type > 0) {
        value.shift = static_cast<std::uint8_t>(bits - 8 * serialBytes(type));
        value.read = source.isReal ? Layout::Read::WholeReal : Layout::Read::Number;
        value.kind = source.isReal ? Row::Kind::Real : Row::Kind::Integer;
    }
    layout.values.push_back(value);
    return true;
}

bool PageRows::addMissing(std::size_t source, Layout& layout) const
{
    for (const PageTable::Source& missing : m_table.sources().subspan(source)) {
        if (missing.hasDefault)
            return false;
        Layout::Value value;
        value.slot = missing.slot;
        if (missing.isRowId) {
            value.read = Layout::Read::RowId;
            value.kind = Row::Kind::Integer;
        }
        layout.values.push_back(value);
    }
    return true;
}

} // namespace warpline::sqlite
