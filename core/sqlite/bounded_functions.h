#pragma once

struct sqlite3;

namespace warpline::sqlite {

/// Limits the functions of `db` whose time grows with the product of their arguments' lengths: LIKE, GLOB,
/// instr, replace, trim, ltrim and rtrim (https://www.sqlite.org/lang_corefunc.html). SQLite cannot be
/// interrupted inside them: a call that may take more than a second fails instead.
void addBoundedFunctions(sqlite3* db);

} // namespace warpline::sqlite
