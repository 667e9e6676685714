#pragma once

#include "core/base/time.h"
#include "views/style/linked_label.h"

namespace warpline {

class Session;

/// Which parts of a selection narrow a panel, and the text where one does not; empty: the usual sentence.
struct Followed {
    bool range = true;
    bool rows = true;
    QString otherwise{};
    bool ofComparedRuns = false; ///< the selection may be what is compared
};

Followed ofComparedRuns(); ///< of panels that compare two runs
Followed ofAllRanks(); ///< of those about several ranks

/// Shows which part of the report a panel covers, with a link to the whole; hidden while it covers all. Names
/// the parts of the selection that do not narrow the panel.
class RangeNotice : public LinkedLabel {
    Q_OBJECT
public:
    RangeNotice(Session& session, Followed followed, QWidget* parent = nullptr);

    void setFollowed(Followed followed);

private:
    void fill();
    QString otherwise(bool ofRange, bool ofRows) const; ///< the parts that do not narrow the panel
    bool areRangesCompared() const;
    bool isCompared(TimeRange range) const;

    Session& m_session;
    Followed m_followed;
};

/// A link "Show all" that clears a selection which narrows a panel's list; visible while a range or rows
/// are selected.
class WayBack : public LinkedLabel {
    Q_OBJECT
public:
    explicit WayBack(Session& session, QWidget* parent = nullptr);
};

} // namespace warpline
