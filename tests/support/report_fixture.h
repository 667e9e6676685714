#pragma once

#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <optional>
#include <string>
#include <vector>

struct sqlite3;

namespace warpline::test {

/// A report made for one test: an SQLite file in a folder of its own, written with SQL.
class ReportFixture {
public:
    ReportFixture();

    /// Runs `sql` on the file, which need not exist yet. Fails the test on an error.
    void run(const std::string& sql);
    /// The tables of a small, healthy export with one process, two streams, calls, copies and NVTX ranges.
    void addSmallReport();
    std::string path() const { return m_path; }
    QString folder() const { return m_folder.path(); }

private:
    QTemporaryDir m_folder;
    std::string m_path;
};

/// All exports of the shared collection, below ../shared/reports; empty when it is not there.
std::vector<std::string> sharedReports();
/// Path of the shared report `name` of h200/, or "h200-more/um", "h200-more/halo8/rank0", "public/NAME";
/// empty when it is not there.
std::string sharedReport(const std::string& name);
/// One integer from `sql` on the database at `path`; an independent oracle for counts and sums.
long long sqlInteger(const std::string& path, const std::string& sql);
/// All exports below `folders`, by path.
std::vector<std::string> reportsBelow(const QStringList& folders);
/// The rows of `sql` on the database at `path` as text, NULL as "NULL"; nothing when SQLite refuses it, for
/// instance because there is no such table.
std::optional<std::vector<std::vector<std::string>>> sqlRows(const std::string& path, const std::string& sql);
/// True when the database at `path` has `table`.
bool sqlHasTable(const std::string& path, const std::string& table);
/// True when `table` of the database at `path` has `column`.
bool sqlHasColumn(const std::string& path, const std::string& table, const std::string& column);

} // namespace warpline::test
