#pragma once

#include "core/base/time.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QRadioButton;

namespace warpline {

class Session;

/// What of a report is written to a file of its own.
struct PartChoice {
    TimeRange window{}; ///< on the report's clock; empty: the whole report
    bool onlyFiltered = false; ///< of a trace: what the filter of the events view leaves
    bool redact = false; ///< of a cut: without what tells who recorded it and where
};

/// Asks which part of the report goes into a file: all of it, the selected range, or what is shown.
class PartDialog : public QDialog {
    Q_OBJECT
public:
    enum class Kind : std::uint8_t { Trace, Cut };
    PartDialog(Session& session, Kind kind, QWidget* parent = nullptr);

    PartChoice choice() const;
    QRadioButton& whole() { return *m_ranges.front().button; }
    QRadioButton* selected() { return m_selected; } ///< nullptr: nothing is selected
    QCheckBox& option() { return *m_option; } ///< the filter, or what is private

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
