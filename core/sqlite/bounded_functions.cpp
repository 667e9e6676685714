#include "core/sqlite/bounded_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace warpline::sqlite {

namespace {

constexpr double maxProduct = 1U << 28U; ///< of the bytes of the first two arguments: a second at most

/// One of SQLite's own functions, on a connection where it is not replaced.
class Original {
public:
    Original(const std::string& name, int arguments)
    {
        std::string call = "SELECT " + name + "(?";
        for (int i = 1; i < arguments; ++i)
            call += ",?";
        sqlite3_open(":memory:", &m_db);
        sqlite3_prepare_v2(m_db, (call + ")").c_str(), -1, &m_call, nullptr);
    }
    Original(const Original&) = delete;
    Original& operator=(const Original&) = delete;
    ~Original()
    {
        sqlite3_finalize(m_call);
        sqlite3_close(m_db);
    }

    void run(sqlite3_context* context, int count, sqlite3_value** values)
    {
        double product = 1;
        for (int i = 0; i < std::min(count, 2); ++i)
            product *= std::max(1, lengthOf(values[i]));
        if (product > maxProduct) {
            sqlite3_result_error(context, "the arguments are too long for this function", -1);
            return;
        }
        sqlite3_limit(m_db, SQLITE_LIMIT_LENGTH,
            sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
        for (int i = 0; i < count; ++i)
            sqlite3_bind_value(m_call, i + 1, values[i]);
        const int step = sqlite3_step(m_call);
        if (step == SQLITE_ROW)
            sqlite3_result_value(context, sqlite3_column_value(m_call, 0));
        else if (step == SQLITE_TOOBIG)
            sqlite3_result_error_toobig(context);
        else
            sqlite3_result_error(context, sqlite3_errmsg(m_db), -1);
        sqlite3_reset(m_call);
        sqlite3_clear_bindings(m_call);
    }

private:
    /// Numbers are short, and asking for their bytes would make text of them.
    static int lengthOf(sqlite3_value* value)
    {
        const int type = sqlite3_value_type(value);
        return type == SQLITE_TEXT || type == SQLITE_BLOB ? sqlite3_value_bytes(value) : 1;
    }

    sqlite3* m_db = nullptr;
    sqlite3_stmt* m_call = nullptr;
};

} // namespace

void addBoundedFunctions(sqlite3* db)
{
    struct Function {
        const char* name;
        int arguments;
    };
    static constexpr std::array functions{Function{"instr", 2}, Function{"replace", 3}, Function{"trim", 1},
        Function{"trim", 2}, Function{"ltrim", 1}, Function{"ltrim", 2}, Function{"rtrim", 1},
        Function{"rtrim", 2}, Function{"like", 2}, Function{"like", 3}, Function{"glob", 2},
        Function{"json_patch", 2}};
    for (const Function& each : functions) {
        auto original = std::make_unique<Original>(each.name, each.arguments);
        sqlite3_create_function_v2(
            db, each.name, each.arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            original.release(),
            [](sqlite3_context* context, int count, sqlite3_value** values) {
                static_cast<Original*>(sqlite3_user_data(context))->run(context, count, values);
            },
            nullptr, nullptr, [](void* function) { delete static_cast<Original*>(function); });
    }
}

} // namespace warpline::sqlite
