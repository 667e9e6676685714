#pragma once

#include "core/base/message.h"

#include <utility>
#include <vector>

namespace warpline {

/// `items` as "a; b; c", for items that contain commas: lists of a message are separated by commas.
inline Message seriesOf(std::vector<Message> items)
{
    Message series;
    for (auto item = items.rbegin(); item != items.rend(); ++item)
        series = series.empty() ? std::move(*item)
                                : Message("series.item", "{item}; {rest}",
                                    {{"item", std::move(*item)}, {"rest", std::move(series)}});
    return series;
}

} // namespace warpline
