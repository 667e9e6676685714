#pragma once

struct sqlite3;

namespace warpline::sqlite {

/// Bounds the functions of `db` whose time grows with the product of their arguments' lengths: LIKE, GLOB,
/// instr, replace, trim, ltrim and rtrim (https://www.sqlite.org/lang_corefunc.html). SQLite asks nobody while
/// it is in one of them: a call that might take more than a second fails instead.
void addBoundedFunctions(sqlite3* db);

} // namespace warpline::sqlite
