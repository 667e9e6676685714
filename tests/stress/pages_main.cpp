// stress-pages DATABASES [SEED]: that many random databases from SEED (1) on, each with eight mutated copies,
// read from their pages and with SQLite. Exit code 1 at the first difference, with its seed. The suite runs a
// few; long runs are for sanitizer builds, with new seeds.

#include "tests/support/random_database.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

using namespace warpline::test;
namespace fs = std::filesystem;

namespace {

constexpr int copies = 8;

/// A folder of this process that is removed with it.
struct ScratchFolder {
    fs::path path = fs::temp_directory_path() / ("stress-pages-" + std::to_string(getpid()));
    ScratchFolder() { fs::create_directories(path); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder()
    {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

/// Whether the file reads alike both ways; its rows and tables are added to `sum`.
bool readsAlike(const fs::path& file, std::uint64_t seed, Comparison& sum)
{
    const Comparison one = comparePagesWithSqlite(file.string());
    sum.rows += one.rows;
    sum.tables += one.tables;
    sum.declined += one.declined;
    if (!one.difference.empty())
        std::fprintf(stderr, "seed %llu: %s\n", static_cast<unsigned long long>(seed), one.difference.c_str());
    return one.difference.empty();
}

} // namespace

int main(int count, char** arguments)
{
    const std::uint64_t databases = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 20;
    const std::uint64_t first = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
    const ScratchFolder folder;
    const fs::path original = folder.path / "random.sqlite";
    const fs::path mutated = folder.path / "mutated.sqlite";
    Comparison whole;
    Comparison damaged;
    for (std::uint64_t seed = first; seed < first + databases; ++seed) {
        Random random(seed);
        writeRandomDatabase(original.string(), random);
        if (!readsAlike(original, seed, whole))
            return 1;
        for (int i = 0; i < copies; ++i) {
            fs::copy_file(original, mutated, fs::copy_options::overwrite_existing);
            mutateFile(mutated.string(), random);
            if (!readsAlike(mutated, seed, damaged))
                return 1;
        }
    }
    std::printf("%llu databases: %llu rows alike, %llu tables from pages, %llu left to SQLite; "
                "%llu mutated: %llu rows, %llu tables, %llu left\n",
        static_cast<unsigned long long>(databases), static_cast<unsigned long long>(whole.rows),
        static_cast<unsigned long long>(whole.tables), static_cast<unsigned long long>(whole.declined),
        static_cast<unsigned long long>(databases * copies), static_cast<unsigned long long>(damaged.rows),
        static_cast<unsigned long long>(damaged.tables), static_cast<unsigned long long>(damaged.declined));
    return whole.tables > 0 ? 0 : 1;
}
