#pragma once

struct sqlite3;

namespace warpline::sqlite {

/// Gives `db` own versions of the functions whose time grows with the product of their arguments' lengths:
/// LIKE, GLOB, instr, replace, trim, ltrim and rtrim (https://www.sqlite.org/lang_corefunc.html). The results
/// are the same; SQLite asks nobody while it is in one of its own. `isLate(self)` ends a call, which fails
/// then.
void addBoundedFunctions(sqlite3* db, bool (*isLate)(void* self), void* self);

} // namespace warpline::sqlite
