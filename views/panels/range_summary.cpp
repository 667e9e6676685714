#include "views/panels/range_summary.h"

#include "core/base/format.h"
#include "views/style/rich_text.h"

#include <QObject>

#include <algorithm>
#include <cstdlib>

namespace warpline {

QString rangeSummary(
    const RangeStats& stats, bool selected, std::uint64_t all, const std::vector<RangeWork>& work)
{
    // A thousandth of the range is precise enough for its ends.
    const Ns length = stats.window.duration();
    const Ns resolution = length < 1'000'000 ? 1 : length / 1000;
    const auto placed = [resolution](Ns at) {
        return htmlOf(formatTime(std::abs(at) < resolution ? 0 : at, resolution)); // no -0.000 s
    };
    const QString events = stats.events < all
        ? QObject::tr("%1 of %2 events").arg(countHtml(stats.events), countHtml(all))
        : stats.events == 1 ? QObject::tr("1 event")
                            : QObject::tr("%1 events").arg(countHtml(stats.events));
    QString summary = (selected
            ? QObject::tr("Selected range: <b>%1</b> &nbsp;&middot;&nbsp; %2 to %3 &nbsp;&middot;&nbsp; %4")
            : QObject::tr(
                "Range shown in the timeline: <b>%1</b> &nbsp;&middot;&nbsp; %2 to %3 &nbsp;&middot;&nbsp; %4"))
                          .arg(durationHtml(length), placed(stats.window.start), placed(stats.window.end),
                              events);
    const auto share = [&](Ns time) {
        return shareHtml(static_cast<double>(time) / static_cast<double>(std::max<Ns>(1, length)));
    };
    constexpr std::size_t maxInText = 2;
    for (std::size_t i = 0; i < std::min(stats.devices.size(), maxInText); ++i) {
        const DeviceFigures& device = stats.devices[i];
        summary += QObject::tr(
            " &nbsp;&middot;&nbsp; <b>GPU %1</b> busy %2, compute %3, copies %4, both at once %5, idle %6")
                       .arg(device.number)
                       .arg(share(device.busy), share(device.compute), share(device.copy),
                           share(device.overlap), share(device.idle));
        if (device.communication > 0)
            summary += ", " + QObject::tr("only communicating %1").arg(share(device.communication));
        if (device.stalled > 0)
            summary += ", " + QObject::tr("waiting for pages %1").arg(share(device.stalled));
        for (const RangeWork& each : work) {
            if (each.process == device.process && each.device == device.device)
                summary += ", " + richTextOf(rangeWorkText(each));
        }
    }
    return summary;
}

QString outsideText(const std::string& label)
{
    return QObject::tr("The report %1 has no part in this range.").arg(htmlOf(label));
}

} // namespace warpline
