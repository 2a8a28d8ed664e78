#include "views/timeline/columnstrip.h"

#include "views/common/colourrole.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {

namespace {

constexpr auto kWaiting = static_cast<std::size_t>(ColourRole::Waiting);
constexpr int kHatchDistance = 4; ///< pixels between lines
constexpr int kLeastFilled = 3;   ///< pixels of a column in which something is, however short

/// From top to bottom: waiting lies beside the collectives that it is part of.
constexpr std::array<std::size_t, LaneMix::kClasses> kOrder{8, 0,  1,  2,  3,  4,  5,  6,  7,
                                                            9, 10, 11, 12, 13, 14, 15, 16, 17};

} // namespace

void ColumnStrip::begin(int width, double perColumn) {
    m_perColumn = std::max(perColumn, 1.0);
    const auto columns = static_cast<std::size_t>(std::max(width, 0));
    m_times.resize(columns);
    m_used.assign(columns, false);
    m_first = width;
    m_last = 0;
}

void ColumnStrip::add(int left, int right, const LaneMix::Times& times) {
    // Over several columns the time is divided evenly; what rounds to nothing is still something.
    LaneMix::Times part = times;
    if (right - left > 1)
        for (TimeNs& time : part)
            time = time > 0 ? std::max<TimeNs>(time / (right - left), 1) : 0;
    left = std::max(left, 0);
    right = std::min(right, static_cast<int>(m_times.size()));
    for (int x = left; x < right; ++x) {
        const auto column = static_cast<std::size_t>(x);
        if (!m_used[column]) {
            m_used[column] = true;
            m_times[column] = part;
            continue;
        }
        for (std::size_t c = 0; c < part.size(); ++c)
            m_times[column][c] += part[c];
    }
    if (left < right) {
        m_first = std::min(m_first, left);
        m_last = std::max(m_last, right);
    }
}

QImage ColumnStrip::picture(int height, const LaneColours& colours) const {
    if (m_first >= m_last || height <= 0)
        return {};
    QImage image(m_last, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const auto stride = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    // The rows of an image of 32 bits a pixel are aligned for them.
    auto* pixels = reinterpret_cast<QRgb*>(image.bits()); // NOLINT(*-reinterpret-cast)
    for (int x = m_first; x < m_last; ++x) {
        const auto column = static_cast<std::size_t>(x);
        if (!m_used[column])
            continue;
        const TimeNs busy = std::accumulate(m_times[column].begin(), m_times[column].end(), TimeNs{0});
        const double share = std::min(static_cast<double>(busy) / m_perColumn, 1.0);
        const int filled =
            std::clamp(static_cast<int>(std::lround(share * height)), std::min(kLeastFilled, height), height);
        const auto bands = bandsOf(m_times[column], filled);
        int y = height - filled;
        for (const std::size_t which : kOrder)
            for (const int end = y + bands[which]; y < end; ++y) {
                const bool line = which == kWaiting && (x + y) % kHatchDistance == 0;
                pixels[y * stride + x] = line ? colours.hatch : colours.fill[which];
            }
    }
    return image;
}

} // namespace lockstep
