#pragma once

#include "views/session/session.h"

#include <QObject>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpline {

/// How many lanes of each row are drawn in full; deeper ones are thin. Rows keep theirs while their report
/// stays open.
class RowDepths : public QObject {
    Q_OBJECT
public:
    /// That of a row nobody has changed. Deep stacks projected onto a GPU leave its kernels in sight: the
    /// thread that they are of shows them in full.
    static int usualOf(const Row& row);

    /// `session` outlives this object.
    explicit RowDepths(Session& session);

    int depth(RowId row) const;
    /// At least one; emits Session::rowLayoutChanged().
    void setDepth(RowId row, int depth);
    /// As many lanes of `row` as count now: those without events in view may stand aside. Else all.
    int lanes(const Row& row) const;
    /// Of each row, by RowId, as many lanes as count from now on; empty: all of all.
    void setLanesInView(std::vector<std::uint32_t> lanes);

private:
    Session& m_session;
    std::vector<std::uint32_t> m_lanesInView;
    std::unordered_map<std::string, int> m_depths; ///< by Row::key; rows not in it have usualOf()
};

} // namespace warpline
