#pragma once

#include "core/base/time.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QRadioButton;

namespace warpline {

class Session;

/// The part of a report to write to a file.
struct PartChoice {
    TimeRange window{}; ///< on the report's clock; empty: the whole report
    bool onlyFiltered = false; ///< for a trace: only events that the filter of the events panel accepts
    bool redact = false; ///< for a cut: removes names of users and hosts
};

/// Asks which part of the report to write: all of it, the selected range, or the visible one.
class PartDialog : public QDialog {
    Q_OBJECT
public:
    enum class Kind : std::uint8_t { Trace, Cut };
    PartDialog(Session& session, Kind kind, QWidget* parent = nullptr);

    PartChoice choice() const;
    QRadioButton& whole() { return *m_ranges.front().button; }
    QRadioButton* selected() { return m_selected; } ///< nullptr: nothing is selected
    QCheckBox& option() { return *m_option; } ///< the filter, or redaction

private:
    QRadioButton* offer(const QString& title, TimeRange range);

    struct Offer {
        QRadioButton* button;
        TimeRange own; ///< empty: all
    };

    Session& m_session;
    Kind m_kind;
    std::vector<Offer> m_ranges;
    QRadioButton* m_selected = nullptr;
    QCheckBox* m_option;
};

} // namespace warpline
