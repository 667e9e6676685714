#include "core/sqlite/page_table.h"

#include "core/base/ascii_case.h"
#include "core/sqlite/database.h"

#include <algorithm>
#include <limits>

namespace warpline::sqlite {

namespace {

/// Deeper than any tree of a table can be: each level holds at least two pages, and there are 2^32 pages.
constexpr int deepest = 32;

/// True for declared types whose whole numbers SQLite stores as integers and returns as reals:
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
    const auto indexes = schema.integer(
        "SELECT count(*) FROM pragma_index_list(" + quotedName(table) + ") WHERE origin = 'pk'");
    return !indexes.ok() || indexes.value() != 0;
}

/// The columns of `table` as records hold them. Empty when records may hold other ones: computed columns.
std::vector<Column> declaredColumns(Database& schema, std::string_view table)
{
    auto query = schema.prepare("PRAGMA table_xinfo(" + quotedName(table) + ")");
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
    const auto plain = schema.integer("SELECT wr = 0 AND type = 'table' FROM pragma_table_list("
        + quotedName(table) + ") WHERE schema = 'main'");
    return plain.ok() && plain.value() == 1;
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
        // SQLite treats an inner page without cells as damaged, except for page 1, which is not a table's.
        if (cells > mostCells(m_file.pageBytes()) || cells == 0)
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

} // namespace warpline::sqlite
