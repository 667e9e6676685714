#pragma once

#include <QString>
#include <QStringList>

namespace warpline::test {

/// Texts that want to write or to reach other files; SQLite refuses each at once.
inline QStringList forbiddenTexts(const QString& target)
{
    const QStringList wishes{"DROP TABLE StringIds", "DELETE FROM StringIds",
        "UPDATE StringIds SET value = 'x'", "INSERT INTO StringIds VALUES (-1, 'x')",
        "REPLACE INTO StringIds VALUES (1, 'x')", "CREATE TABLE evil (a)", "CREATE TEMP TABLE evil (a)",
        "CREATE INDEX evil ON StringIds(value)", "CREATE TEMP VIEW evil AS SELECT 1",
        "DROP VIEW temp.kernels", "ALTER TABLE StringIds RENAME TO evil",
        "CREATE TEMP TRIGGER evil AFTER INSERT ON StringIds BEGIN SELECT 1; END", "VACUUM",
        "VACUUM INTO '" + target + "'", "ATTACH '" + target + "' AS other", "DETACH main", "REINDEX",
        "ANALYZE", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK", "SAVEPOINT evil", "PRAGMA query_only = 0",
        "PRAGMA journal_mode = WAL", "PRAGMA writable_schema = 1", "PRAGMA user_version = 7",
        "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA temp_store_directory = '/tmp'", "PRAGMA mmap_size = 1",
        "PRAGMA application_id = 5", "PRAGMA optimize", "PRAGMA hard_heap_limit = 1", "PRAGMA shrink_memory",
        "SELECT load_extension('/tmp/evil.so')", "SELECT writefile('" + target + "', 'x')",
        "SELECT readfile('/etc/passwd')", "SELECT edit('x')", "SELECT fts3_tokenizer('simple')",
        "WITH x AS (SELECT 1) DELETE FROM StringIds", "CREATE VIRTUAL TABLE evil USING fts5(a)",
        "UPDATE sqlite_schema SET sql = ''", "INSERT INTO sqlite_dbpage VALUES (1, zeroblob(4096))"};
    QStringList texts;
    for (const QString& wish : wishes) {
        texts << wish << wish.toLower() + " ;"
              << "/* a comment */ " + wish << "SELECT 1; " + wish << "EXPLAIN " + wish;
    }
    return texts;
}

/// The same, and texts that go on for ever, or that are no SQL at all.
inline QStringList hostileTexts(const QString& target)
{
    QStringList texts = forbiddenTexts(target);
    texts << "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
          << "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c"
          << "WITH RECURSIVE c(x) AS (SELECT 'a' UNION SELECT x || x FROM c) SELECT length(x) FROM c"
          << "SELECT count(*) FROM StringIds a, StringIds b, StringIds c, StringIds d, StringIds e"
          << "SELECT hex(zeroblob(2000000000))"
          << "SELECT randomblob(2000000000)"
          << "SELECT printf('%.*c', 999999999, 'x')"
          << "SELECT " + QString("(").repeated(5000) << "SELECT " + QString("1+").repeated(100'000) + "1"
          << "SELECT * FROM a_table_that_is_not"
          << "SELECT 'unterminated"
          << "/* unterminated"
          << "-- nothing"
          << ";;;"
          << "" << QString::fromUtf8("\xc3\xa4\xc3\xb6 SELECT") << QString("SELECT 1%1").arg(QChar(0))
          << "SELECT \""
          << "))))";
    return texts;
}

} // namespace warpline::test
