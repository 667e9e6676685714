#include "core/sqlite/page_table.h"

#include "core/sqlite/database.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace warpline::sqlite {

namespace {

/// Deeper than any tree of a table can be: each level holds at least two pages, and there are 2^32 pages.
constexpr int deepest = 32;
/// Layouts of records that are kept.
constexpr std::size_t layoutsKept = 32;

char lower(char c)
{
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(), lower);
    return result;
}

/// True for declared types whose whole numbers SQLite stores as integers and hands out as reals:
/// https://www.sqlite.org/datatype3.html, section 3.1.
bool isRealType(std::string_view declared)
{
    const std::string type = lowered(declared);
    const auto has = [&type](std::string_view part) { return type.find(part) != type.npos; };
    if (has("int") || has("char") || has("clob") || has("text") || has("blob"))
        return false;
    return has("real") || has("floa") || has("doub");
}

/// A column as a table declares it.
struct Column {
    std::string name;
    bool isReal = false;
    bool isRowId = false;
    bool hasDefault = false;
};

/// True when rows of `table` are found by another key than the one declared: INTEGER PRIMARY KEY DESC.
bool hasKeyOfItsOwn(Database& schema, std::string_view table)
{
    return schema.integer(
               "SELECT count(*) FROM pragma_index_list(" + quoted(table) + ") WHERE origin = 'pk'", 1)
        != 0;
}

/// The columns of `table` as records hold them. Empty when records may hold other ones: computed columns.
std::vector<Column> declaredColumns(Database& schema, std::string_view table)
{
    auto query = schema.prepare("PRAGMA table_xinfo(" + quoted(table) + ")");
    if (!query.ok())
        return {};
    enum Field { id, name, type, notNull, fallback, key, hidden };
    Statement& row = query.value();
    std::vector<Column> columns;
    std::size_t keys = 0;
    std::size_t alias = 0;
    while (row.step() == Statement::Step::Row) {
        if (row.integer(hidden) != 0)
            return {};
        if (row.integer(key) > 0) {
            ++keys;
            alias = lowered(row.text(type)) == "integer" ? columns.size() + 1 : 0;
        }
        columns.push_back(
            {std::string(row.text(name)), isRealType(row.text(type)), false, !row.isNull(fallback)});
    }
    if (keys == 1 && alias > 0 && !hasKeyOfItsOwn(schema, table))
        columns[alias - 1].isRowId = true;
    return columns;
}

/// The first page of `table`; 0 when it has none that can be read: a view, a virtual table, one without
/// rowid.
std::uint32_t rootPage(Database& schema, std::string_view table)
{
    auto query = schema.prepare("SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?1");
    if (!query.ok())
        return 0;
    query.value().bind(1, table);
    if (query.value().step() != Statement::Step::Row)
        return 0;
    const std::int64_t page = query.value().integer(0);
    return page > 1 && page <= std::numeric_limits<std::uint32_t>::max() ? static_cast<std::uint32_t>(page)
                                                                         : 0;
}

bool hasRowIds(Database& schema, std::string_view table)
{
    return schema.integer("SELECT wr = 0 AND type = 'table' FROM pragma_table_list(" + quoted(table)
               + ") WHERE schema = 'main'")
        == 1;
}

/// Walks the inner pages of a tree and lists its leaves.
class LeafSearch {
public:
    explicit LeafSearch(const PagedFile& file)
        : m_file(file),
          m_visited(std::size_t{file.pages()} + 1)
    {
    }

    /// Adds the leaves below `page`; all of their rowids are at most `limit`. False when the tree is damaged.
    bool visit(std::uint32_t page, std::int64_t limit, int depth)
    {
        if (!m_file.isPage(page) || m_visited[page] || depth > deepest)
            return false;
        m_visited[page] = true;
        std::vector<Byte> bytes(m_file.pageBytes() + pagePadding);
        if (!m_file.read(page, 1, bytes.data()))
            return false;
        if (bytes.front() == leafOfTable)
            return addLeaf(page, limit);
        if (bytes.front() != interiorOfTable)
            return false;
        const std::uint32_t cells = bigEndian16(bytes.data() + 3);
        // SQLite calls a page without cells damaged, unless it is the tree's root.
        if (cells > mostCells(m_file.pageBytes()) || (cells == 0 && depth > 0))
            return false;
        // Children of a page of leaves' parents are leaves, all of them: only the first needs a look.
        for (std::uint32_t i = 0; i < cells; ++i) {
            const std::uint32_t place = bigEndian16(bytes.data() + interiorHeaderBytes + std::size_t{i} * 2);
            if (place + 5 > m_file.usableBytes())
                return false;
            std::uint64_t key = 0;
            if (readVarint(bytes.data() + place + 4, key) > bytes.data() + m_file.usableBytes())
                return false;
            const auto last = static_cast<std::int64_t>(key);
            if (last > limit || !visitChild(bigEndian32(bytes.data() + place), last, depth))
                return false;
        }
        return visitChild(bigEndian32(bytes.data() + 8), limit, depth);
    }

    std::vector<PageTable::Leaf> take() { return std::move(m_leaves); }

private:
    bool visitChild(std::uint32_t page, std::int64_t limit, int depth)
    {
        // All leaves of a tree are on one floor: below the first leaf's parent no page needs a look here.
        if (m_leafDepth == depth + 1) {
            if (!m_file.isPage(page) || m_visited[page])
                return false;
            m_visited[page] = true;
            return addLeaf(page, limit);
        }
        const bool known = m_leafDepth >= 0;
        if (!visit(page, limit, depth + 1))
            return false;
        if (!known && m_leafDepth < 0)
            m_leafDepth = depth + 1;
        return true;
    }

    bool addLeaf(std::uint32_t page, std::int64_t limit)
    {
        if (!m_leaves.empty() && m_leaves.back().lastRow >= limit)
            return false;
        m_leaves.push_back({limit, page});
        return true;
    }

    const PagedFile& m_file;
    std::vector<bool> m_visited;
    std::vector<PageTable::Leaf> m_leaves;
    int m_leafDepth = -1;
};

} // namespace

std::unique_ptr<const PageTable> PageTable::open(std::shared_ptr<const PagedFile> file, Database& schema,
    std::string_view table, std::span<const std::string_view> columns, std::string& whyNot)
{
    const std::uint32_t root = rootPage(schema, table);
    const std::vector<Column> declared = declaredColumns(schema, table);
    if (root == 0 || declared.empty() || !hasRowIds(schema, table)) {
        whyNot = "it is not a plain table";
        return nullptr;
    }
    auto result = std::make_unique<PageTable>();
    LeafSearch search(*file);
    if (!search.visit(root, std::numeric_limits<std::int64_t>::max(), 0)) {
        whyNot = "its pages are damaged";
        return nullptr;
    }
    result->m_root = root;
    result->m_leaves = search.take();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto place = std::ranges::find(declared, columns[i], &Column::name);
        if (place == declared.end())
            continue;
        result->m_sources.push_back({static_cast<std::uint32_t>(place - declared.begin()),
            static_cast<std::uint32_t>(i + 1), place->isReal, place->isRowId, place->hasDefault});
    }
    std::ranges::stable_sort(result->m_sources, {}, &Source::place);
    result->m_columnCount = columns.size() + 1;
    result->m_file = std::move(file);
    return result;
}

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
    m_row.cellAt(0).number = rowId;
    for (const Layout::Value& value : layout->values) {
        Row::Cell& cell = m_row.cellAt(value.slot);
        const Byte* const at = record + value.offset;
        cell.kind = value.kind;
        switch (value.read) {
        case Layout::Read::Number:
            cell.number = static_cast<std::int64_t>(bigEndian64(at)) >> value.shift;
            break;
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
            cell.bytes = reinterpret_cast<const char*>(at);
            cell.size = value.size;
            break;
        case Layout::Read::Constant:
            cell.number = value.constant;
            break;
        case Layout::Read::RowId:
            cell.number = rowId;
            break;
        }
    }
    return true;
}

const PageRows::Layout* PageRows::layoutOf(const Byte* record, std::uint64_t size)
{
    constexpr std::size_t chunkBytes = sizeof(std::uint64_t);
    constexpr std::uint64_t mixer = 0x9E3779B97F4A7C15U;
    std::uint64_t headerBytes = 0;
    readVarint(record, headerBytes);
    const std::size_t chunks = (headerBytes + chunkBytes - 1) / chunkBytes;
    if (headerBytes > size || chunks > Layout::mostChunks || chunks == 0) {
        Layout& own = m_layouts.front();
        own.chunks = 0;
        return parse(record, size, own) ? &own : nullptr;
    }
    std::array<std::uint64_t, Layout::mostChunks>
        header; // NOLINT(cppcoreguidelines-pro-type-member-init): filled
    std::memcpy(header.data(), record, chunks * chunkBytes);
    if (const std::size_t rest = headerBytes % chunkBytes; rest != 0) {
        std::array<Byte, chunkBytes> last{};
        std::memcpy(last.data(), record + (chunks - 1) * chunkBytes, rest);
        std::memcpy(&header[chunks - 1], last.data(), chunkBytes);
    }
    std::uint64_t hash = headerBytes;
    for (std::size_t i = 0; i < chunks; ++i)
        hash = (hash ^ header[i]) * mixer;
    Layout& layout = m_layouts[1 + (hash >> 32U) % layoutsKept];
    if (layout.chunks == chunks && std::equal(header.begin(), header.begin() + chunks, layout.header.begin()))
        return (layout.isWhole ? layout.bytes == size : layout.bytes <= size) ? &layout : nullptr;
    layout.chunks = 0;
    if (!parse(record, size, layout))
        return nullptr;
    std::copy_n(header.begin(), chunks, layout.header.begin());
    layout.chunks = chunks;
    return &layout;
}

bool PageRows::parse(const Byte* record, std::uint64_t size, Layout& layout) const
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
        // An alias of the rowid stands in the record as NULL.
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
