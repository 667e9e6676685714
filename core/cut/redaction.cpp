#include "core/cut/redaction.h"

#include "core/base/secrets.h"
#include "core/cut/name_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

namespace warpline {

namespace {

constexpr std::string_view substitute = "redacted";

/// Too common to be taken out wherever it stands, or too short.
bool tellsNobody(std::string_view name)
{
    static constexpr std::array<std::string_view, 8> common{
        "root", "user", "host", "localhost", "ubuntu", "linux", "python", "nvidia"};
    constexpr std::size_t shortest = 4;
    return name.size() < shortest || std::ranges::find(common, name) != common.end();
}

bool hasTable(const std::vector<CutTable>& tables, std::string_view name)
{
    return std::ranges::find(tables, name, &CutTable::name) != tables.end();
}

/// The value of "NAME=value" for variables that name a host or a user, or hold a credential.
std::string_view identityIn(std::string_view variable)
{
    const std::string_view name = variable.substr(0, variable.find('='));
    const std::string_view value = variable.substr(std::min(variable.size(), name.size() + 1));
    if (looksSecret(name) && isUnlikeWords(value))
        return value;
    static constexpr std::array<std::string_view, 8> names{"HOSTNAME=", "HOST=", "USER=", "LOGNAME=",
        "USERNAME=", "SUDO_USER=", "SLURM_JOB_USER=", "SLURMD_NODENAME="};
    const auto isKnown = [&](std::string_view known) { return variable.starts_with(known); };
    return std::ranges::any_of(names, isKnown) ? value : std::string_view();
}

/// Adds the name `value` of a host or a user, and the first part of a host's.
void addName(std::string_view value, std::set<std::string>& names)
{
    constexpr std::size_t longest = 4096; // names of hosts and users, and tokens, are shorter
    if (value.size() > longest)
        return;
    if (!tellsNobody(value))
        names.emplace(value);
    // Of a host. A word, such as "cuda", would be found in names of functions.
    const std::string_view shortName = value.substr(0, std::min(value.find('.'), value.size()));
    constexpr std::size_t shortest = 6;
    if (shortName.size() >= shortest && shortName.size() < value.size()
        && shortName.find_first_of("0123456789") != std::string_view::npos
        && shortName.find('/') == std::string_view::npos)
        names.emplace(shortName);
}

void addRows(sqlite::Database& report, const char* sql, std::set<std::string>& names)
{
    auto statement = report.prepare(sql);
    while (statement.ok() && statement.value().step() == sqlite::Statement::Step::Row) {
        if (const std::string_view text = statement.value().text(0); text.find('=') == std::string_view::npos)
            addName(text, names);
    }
}

/// Adds what the environment `text` says of a host, a user or a credential: a variable, or one in each line.
void addVariables(std::string_view text, std::set<std::string>& names)
{
    addName(identityIn(text), names);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(std::string_view("\n\0", 2), at), text.size());
        addName(identityIn(text.substr(at, end - at)), names);
        at = end + 1;
    }
}

/// Adds credentials in the facts of `table`: those that findings warn of, and more.
void addCredentials(sqlite::Database& report, const CutTable& table, std::set<std::string>& names)
{
    auto statement
        = report.prepare(fmt::format("SELECT name, value FROM {}", sqlite::quotedName(table.name)));
    std::vector<std::pair<std::string, std::string>> facts;
    while (statement.ok() && statement.value().step() == sqlite::Statement::Step::Row)
        facts.emplace_back(statement.value().text(0), statement.value().text(1));
    for (const auto& [name, value] : facts) {
        if (holdsVariables(name))
            addVariables(value, names);
    }
    for (const std::string& credential : hideSecrets(facts)) {
        const std::size_t password
            = credential.find(':') + 1; // of an address, "user:password"; 0: there is none
        for (const std::string_view value :
            {std::string_view(credential), std::string_view(credential).substr(password)}) {
            if (isUnlikeWords(value))
                addName(value, names);
        }
    }
}

/// `text` with the folder's name behind each `lead` (in lower case) taken out: "/home/anna/x" ->
/// "/home/redacted/x".
std::string withoutFolders(std::string_view text, std::string_view lead)
{
    const auto leadFrom = [&](std::size_t from) {
        const auto isSame = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
        const auto rest = text.substr(from);
        const auto found = std::ranges::search(rest, lead, isSame);
        return found.empty() ? std::string_view::npos
                             : from + static_cast<std::size_t>(found.begin() - rest.begin());
    };
    std::string result;
    std::size_t copied = 0;
    for (std::size_t at = leadFrom(0); at != std::string_view::npos; at = leadFrom(copied)) {
        const std::size_t first = std::min(text.find_first_not_of("/\\", at + lead.size()), text.size());
        result += text.substr(copied, first - copied);
        copied = std::min(text.find_first_of("/\\ \"';:", first), text.size());
        if (copied > first)
            result += substitute;
    }
    return result += text.substr(copied);
}

/// Facts about the machine that identify nobody. Others are blanked, because nsys adds new names.
constexpr std::string_view keptFacts
    = "name LIKE 'Cpu%' OR name LIKE 'Has%' OR name LIKE 'Supports%' OR name LIKE 'Is%' OR name IN "
      "('NvDriverVersion', 'CudaDriverVersion', 'OsDescription', 'OsVersion', 'HardwarePlatform', "
      "'SoftwarePlatform', 'SoftwareReleaseVersion', 'GpuInfo', 'ExportLevel')";
/// The same of how it was recorded: switches and rates.
constexpr std::string_view keptOptions
    = "value NOT LIKE '%/%' AND value NOT LIKE '%\\%' AND value NOT LIKE '%=%' AND (name IN "
      "('CAPTURE_EVENT_TYPE', 'RATE_HZ', 'DEVICE_TYPE', 'START_TRIGGER', 'STOP_TRIGGER') OR name LIKE '%COLLECT_%' "
      "OR name LIKE '%FREQ%' OR name LIKE '%TRACE%' OR name LIKE '%GRAPH%' OR name LIKE '%SAMPLING%' OR name LIKE "
      "'%METRIC%' OR name LIKE '%VERSION%')";

/// Whether `bytes` hold text, of one, two or four bytes a letter. No name in them says what it is.
bool hasText(std::string_view bytes)
{
    constexpr std::size_t shortest = 6;
    for (const std::size_t width : {1U, 2U, 4U}) {
        std::vector<std::size_t> letters(width, 0); // up to the last `width` bytes, for each way to begin
        for (std::size_t at = 0; at + width <= bytes.size(); ++at) {
            const auto sign = static_cast<unsigned char>(bytes[at]);
            // Wide signs other than letters are mostly numbers of a list.
            const bool isLetter
                = (width == 1 ? sign >= ' ' && sign <= '~' : sign < 0x80 && std::isalnum(sign) != 0)
                && bytes.substr(at + 1, width - 1).find_first_not_of('\0') == std::string_view::npos;
            std::size_t& run = letters[at % width];
            run = isLetter ? run + 1 : 0;
            if (run == shortest)
                return true;
        }
    }
    return false;
}

/// SQL that redacts each text of a table, whatever its columns are declared as. Bytes with text in them
/// become none.
std::string redactionOf(const CutTable& table)
{
    std::vector<std::string> values;
    std::vector<std::string> conditions;
    for (const auto& column : table.columns) {
        const std::string name = sqlite::quotedName(column.name);
        const bool isName = (table.name == "StringIds" && column.name == "value")
            || (table.name == "NVTX_EVENTS" && column.name == "text");
        values.push_back(fmt::format(
            "{0} = CASE typeof({0}) WHEN 'text' THEN {1}({0}) WHEN 'blob' THEN iif(with_text({0}) = '', {0}, x'') ELSE {0} END",
            name, isName ? "redacted_name" : "redacted"));
        conditions.push_back(fmt::format("typeof({}) IN ('text', 'blob')", name));
    }
    return fmt::format("UPDATE main.{} SET {} WHERE {}", sqlite::quotedName(table.name),
        fmt::join(values, ", "), fmt::join(conditions, " OR "));
}

/// SQL that blanks the names of processes without events: nsys lists all of the machine.
std::string othersRedacted(const std::vector<CutTable>& tables)
{
    std::string owners;
    for (const CutTable& table : tables) {
        for (const std::string_view id : {"globalTid", "globalPid"}) {
            if (table.name != "PROCESSES" && table.name != "ThreadNames" && table.has(id))
                owners += fmt::format("{0}SELECT {1} >> 24 FROM main.{2} WHERE {1} IS NOT NULL",
                    owners.empty() ? "" : " UNION ", id, sqlite::quotedName(table.name));
        }
    }
    return owners.empty()
        ? std::string("SELECT 1")
        : fmt::format(
            "UPDATE main.PROCESSES SET name = '' WHERE globalPid IS NULL OR globalPid >> 24 NOT IN ({})",
            owners);
}

/// The names of hosts and users in `report`.
NameFinder namesIn(sqlite::Database& report, const std::vector<CutTable>& tables)
{
    std::set<std::string> names;
    if (hasTable(tables, "TARGET_INFO_SYSTEM_ENV"))
        addRows(report,
            "SELECT value FROM TARGET_INFO_SYSTEM_ENV WHERE name LIKE '%Host%name%' OR name LIKE '%User%'",
            names);
    if (hasTable(tables, "META_DATA_CAPTURE"))
        addRows(report,
            "SELECT value FROM META_DATA_CAPTURE WHERE name LIKE '%USER_NAME' OR name LIKE '%HOST%' OR name = "
            "'DEVICE_DISPLAY_NAME' OR (name LIKE '%WORKING_DIR%' AND value LIKE "
            "'/%/%')",
            names);
    if (hasTable(tables, "META_DATA_EXPORT"))
        addRows(report, "SELECT value FROM META_DATA_EXPORT WHERE name LIKE '%USER%' OR name LIKE '%HOST%'",
            names);
    for (const CutTable& table : tables) {
        if (table.has("name") && table.has("value"))
            addCredentials(report, table, names);
    }
    return NameFinder(names);
}

/// `text` without those names, without credentials and the names of home folders.
std::string redactedText(const NameFinder& names, std::string_view text)
{
    std::string result = names.replaced(withoutCredentials(text).value_or(std::string(text)), substitute);
    for (const std::string_view lead : {"/home/", "/users/", "\\users\\"})
        result = withoutFolders(result, lead);
    return result;
}

} // namespace

Result<void> redact(sqlite::TableCopier& copy, sqlite::Database& report, const std::vector<CutTable>& tables,
    RedactedFacts& facts)
{
    const NameFinder known = namesIn(report, tables);
    const auto redacted = [&](std::string_view text) {
        std::string result = redactedText(known, text);
        facts.changed += result != text ? 1 : 0;
        return result;
    };
    std::unordered_set<std::size_t> names; // by hash
    copy.addFunction("redacted", redacted);
    copy.addFunction("redacted_name", [&](std::string_view text) {
        names.insert(std::hash<std::string_view>()(text));
        return redacted(text);
    });
    copy.addFunction(
        "with_text", [&](std::string_view bytes) { return std::string(hasText(bytes) ? "1" : ""); });
    std::vector<std::string> statements;
    const auto forTable = [&](const char* table, std::string sql) {
        if (hasTable(tables, table))
            statements.push_back(std::move(sql));
    };
    forTable("TARGET_INFO_SYSTEM_ENV",
        fmt::format("UPDATE main.TARGET_INFO_SYSTEM_ENV SET value = '' WHERE NOT ({})", keptFacts));
    for (const char* const table : {"META_DATA_CAPTURE", "META_DATA_EXPORT", "EXPORT_META_DATA"})
        forTable(table, fmt::format("UPDATE main.{} SET value = '' WHERE NOT ({})", table, keptOptions));
    forTable("PROCESSES", othersRedacted(tables));
    for (const CutTable& table : tables)
        statements.push_back(redactionOf(table));
    for (const std::string& statement : statements) {
        if (auto done = copy.run(statement); !done.ok())
            return done;
    }
    facts.names = names.size();
    return {};
}

} // namespace warpline
