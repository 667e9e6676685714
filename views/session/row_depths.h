#pragma once

#include "views/session/session.h"

#include <QObject>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpline {

/// How many lanes of each row are drawn in full; deeper ones are thin. One for each session, which owns it.
/// Rows keep theirs while their report stays open.
class RowDepths : public QObject {
    Q_OBJECT
public:
    /// That of a row nobody has changed. Deep stacks projected onto a GPU leave its kernels in sight: the
    /// thread that they are of shows them in full.
    static int usualOf(const Row& row);

    /// That of `session`, made when it is first asked for.
    static RowDepths& of(Session& session);

    /// That of `row` of `session`.
    static int depthIn(const Session& session, RowId row);
    int depth(RowId row) const;
    /// At least one; emits Session::rowLayoutChanged().
    void setDepth(RowId row, int depth);
    /// As many lanes of `row` as count now: those without events in view may stand aside. Else all.
    static int lanesIn(const Session& session, const Row& row);
    /// Of each row, by RowId, as many lanes as count from now on; empty: all of all.
    void setLanesInView(std::vector<std::uint32_t> lanes);

private:
    explicit RowDepths(Session& session);

    Session& m_session;
    std::vector<std::uint32_t> m_lanesInView;
    std::unordered_map<std::string, int> m_depths; ///< by Row::key; rows not in it have usualOf()
};

} // namespace warpline
