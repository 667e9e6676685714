#pragma once

#include "views/session/session.h"

#include <QObject>

#include <string>
#include <unordered_map>

namespace warpline {

/// How many lanes of each row are drawn in full; deeper ones are thin. One for each session, which owns it.
/// Rows keep theirs while their report stays open.
class RowDepths : public QObject {
    Q_OBJECT
public:
    static constexpr int usual = 16;

    /// That of `session`, made when it is first asked for.
    static RowDepths& of(Session& session);

    /// That of `row` of `session`.
    static int depthIn(const Session& session, RowId row);
    int depth(RowId row) const;
    /// At least one; emits Session::rowLayoutChanged().
    void setDepth(RowId row, int depth);

private:
    explicit RowDepths(Session& session);

    Session& m_session;
    std::unordered_map<std::string, int> m_depths; ///< by Row::key; rows not in it have the usual depth
};

} // namespace warpline
