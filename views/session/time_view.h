#pragma once

#include "core/base/time.h"
#include "views/session/glide.h"

#include <QObject>

#include <algorithm>
#include <vector>

namespace warpline {

/// The shown and the selected time of the timeline, within the reports' time, on the workspace's clock.
class TimeView : public QObject {
    Q_OBJECT
public:
    TimeView();

    TimeRange shown() const { return m_shown; }
    /// The drawn range: the shown one, or an intermediate one of an animation.
    TimeRange drawn() const { return m_glide.drawn(); }
    Glide& glide() { return m_glide; }
    const Glide& glide() const { return m_glide; }
    TimeRange selectedRange() const { return m_selected; } ///< empty: nothing selected
    /// The range that panels analyze: the selected one, else the shown one.
    TimeRange window() const { return m_selected.empty() ? m_shown : m_selected; }
    /// The analyzed range of findings, checklist and tables: the selected range, else the session. Going to
    /// evidence does not change it.
    TimeRange judged() const { return m_selected.empty() ? m_session : m_selected; }
    /// The limits of the shown range: the session, or more.
    TimeRange reach() const { return m_reach.empty() ? m_session : m_reach; }
    /// Allows the shown range to leave the session, as needed for moving with a longer one. Empty: no longer.
    void setReach(TimeRange reach) { m_reach = reach; }
    /// Shows `range`, limited to the reach and to at least 10 ns. With `remember`, goBack() returns from
    /// here; consecutive wheel steps and pans count as one jump.
    void show(TimeRange range, bool remember = true)
    {
        show(range, remember, remember ? Manner::Request : Manner::AtOnce);
    }
    void show(TimeRange range, bool remember, Manner manner);
    /// factor < 1 zooms in; the anchor keeps its place in the shown range
    void zoomAt(Ns anchor, double factor, Manner manner = Manner::AtOnce);
    void panBy(Ns distance, Manner manner = Manner::AtOnce);
    /// Ends a glide where it is: a hand holds the view.
    void holdStill();
    /// On how many pixels the shown range is drawn.
    void setShownPixels(int pixels) { m_pixels = std::max(1, pixels); }
    void showAll() { show(reach()); }
    /// Shows `range` with some room around it.
    void goTo(TimeRange range);
    /// goTo(), but the scale stays and the view moves the least way, where fitsScale().
    void goToAtScale(TimeRange range);
    /// Whether `range` is to be seen at this scale: it is no longer than the view, and has minPixels. An
    /// instant is as long at every scale.
    bool fitsScale(TimeRange range) const;
    static constexpr int minPixels = 6;
    void goBack() { goAlong(m_back, m_forward); }
    void goForward() { goAlong(m_forward, m_back); }
    bool canGoBack() const { return !m_back.empty(); }
    bool canGoForward() const { return !m_forward.empty(); }
    void selectRange(TimeRange range);

signals:
    void shownChanged(warpline::TimeRange shown);
    void drawnChanged(warpline::TimeRange drawn); ///< before shownChanged() where nothing glides
    void selectedRangeChanged(warpline::TimeRange selected);
    void judgedChanged(warpline::TimeRange judged); ///< or what of a report lies in a selected range

private:
    friend class Session; // sets the time of the reports
    void open(TimeRange session, bool isFurther); ///< shownChanged() is the caller's
    void fit(bool all); ///< after a change of the session: shows all of it, or the previous range as far as
                        ///< possible
    TimeRange withinReach(TimeRange range) const; ///< and at least 10 ns; without reports the shown range
    void goAlong(std::vector<TimeRange>& from, std::vector<TimeRange>& to);

    TimeRange m_session; ///< the time of the reports
    TimeRange m_reach; ///< empty: the session
    TimeRange m_shown;
    Glide m_glide;
    int m_pixels = 1000;
    TimeRange m_selected;
    std::vector<TimeRange> m_back;
    std::vector<TimeRange> m_forward;
    qint64 m_lastStep = 0; ///< ms; joins wheel steps into one jump
};

} // namespace warpline
