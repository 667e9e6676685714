// make_ranks TEMPLATE COUNT FOLDER [LATE]: reports of COUNT ranks from one real report, for tests and
// measurements of many ranks. TEMPLATE is the report of a rank that came late to the first collective of each
// step (ddp_json_rank1): rank LATE (default 1) stays as it is, and all others wait there for it, since they
// load their data in half the time. Ranks sit eight to a host; each host's clock errs by some milliseconds,
// the third host's runs 20 ppm too fast, and reports start at other times. Starts of collectives jitter, and
// some ranks have lost an event. The same arguments make the same reports.

#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

constexpr long long waitNs = 20'000'000; // of the others, in each step

class Report {
public:
    explicit Report(const std::string& path)
    {
        if (sqlite3_open(path.c_str(), &m_database) != SQLITE_OK)
            fail();
        run("PRAGMA synchronous=OFF");
        run("PRAGMA journal_mode=MEMORY");
    }
    ~Report() { sqlite3_close(m_database); }
    Report(const Report&) = delete;
    Report& operator=(const Report&) = delete;

    void run(const std::string& sql)
    {
        if (sqlite3_exec(m_database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
            fail();
    }

    /// The tables of events: with a start and an end.
    std::vector<std::string> tablesWithTimes()
    {
        std::vector<std::string> tables;
        const auto add = [](void* list, int, char** values, char**) {
            static_cast<std::vector<std::string>*>(list)->emplace_back(values[0]);
            return 0;
        };
        constexpr const char* sql
            = "SELECT name FROM sqlite_master m WHERE type = 'table' AND 2 = (SELECT count(*) FROM "
              "pragma_table_info(m.name) WHERE name IN ('start', 'end'))";
        if (sqlite3_exec(m_database, sql, add, &tables, nullptr) != SQLITE_OK)
            fail();
        return tables;
    }

private:
    [[noreturn]] void fail()
    {
        std::fprintf(stderr, "make_ranks: %s\n", sqlite3_errmsg(m_database));
        std::exit(3);
    }
    sqlite3* m_database = nullptr;
};

/// Numbers that look random and are the same everywhere.
long long noise(long long seed, long long most)
{
    auto mixed = static_cast<unsigned long long>(seed) * 0x9E3779B97F4A7C15U;
    mixed ^= mixed >> 29U;
    mixed *= 0xBF58476D1CE4E5B9U;
    mixed ^= mixed >> 32U;
    return static_cast<long long>(mixed % static_cast<unsigned long long>(most));
}

const std::string communication = "shortName IN (SELECT id FROM StringIds WHERE value LIKE 'nccl%')";

/// The ranks that are in time load data faster and wait in the first collective of each step.
void beInTime(Report& report, long long rank)
{
    report.run("UPDATE NVTX_EVENTS SET end = max(start + 1000, end - " + std::to_string(waitNs)
        + ") WHERE text = 'data_load' OR textId IN (SELECT id FROM StringIds WHERE value = 'data_load')");
    // A collective that follows a pause of 5 ms is the first of its step.
    report.run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = start - " + std::to_string(waitNs) + " + "
        + std::to_string(noise(rank, 200'000))
        + " WHERE rowid IN (SELECT id FROM (SELECT rowid id, start - lag(end) "
          "OVER (ORDER BY start) pause FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE "
        + communication + ") WHERE pause > 25000000)");
}

void makeRank(const std::string& path, long long rank, long long late)
{
    Report report(path);
    report.run("BEGIN");
    if (rank != late)
        beInTime(report, rank);
    // Clocks: of a host's ranks the same error, and every report starts by itself.
    const long long host = rank / 8;
    const long long start = noise(1'000 + rank, 400'000'000) - 200'000'000;
    const long long error = host == 0 ? 0 : noise(50'000 + host, 10'000'000) - 5'000'000;
    report.run("UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + "
        + std::to_string(error + start));
    constexpr long long driftingHost = 2;
    const auto moved = [&](const std::string& column) {
        const std::string drift = host == driftingHost ? " + " + column + " / 50000" : "";
        return column + " = " + column + drift + " - " + std::to_string(start);
    };
    for (const std::string& table : report.tablesWithTimes())
        report.run("UPDATE " + table + " SET " + moved("start") + ", " + moved("end"));
    report.run("UPDATE TARGET_INFO_SYSTEM_ENV SET value = 'node" + std::to_string(host)
        + "' WHERE name = 'Hostname'");
    if (rank % 16 == 5) // lost: one collective
        report.run(
            "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid = (SELECT rowid FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE "
            + communication + " ORDER BY start LIMIT 1 OFFSET " + std::to_string(13 + rank % 40) + ")");
    report.run("COMMIT");
}

} // namespace

int main(int argc, char** argv)
{
    namespace fs = std::filesystem;
    if (argc < 4) {
        std::fputs("Usage: make_ranks TEMPLATE COUNT FOLDER [LATE]\n", stderr);
        return 2;
    }
    const long long count = std::atoll(argv[2]);
    const long long late = argc > 4 ? std::atoll(argv[4]) : 1;
    std::error_code error;
    fs::create_directories(argv[3], error);
    for (long long rank = 0; rank < count; ++rank) {
        const fs::path path = fs::path(argv[3]) / ("rank" + std::to_string(rank) + ".sqlite");
        fs::remove(path, error);
        if (!fs::copy_file(argv[1], path, error)) {
            std::fprintf(stderr, "make_ranks: %s cannot be copied: %s\n", argv[1], error.message().c_str());
            return 3;
        }
        fs::permissions(path, fs::perms::owner_write, fs::perm_options::add, error);
        makeRank(path.string(), rank, late);
    }
    return 0;
}
