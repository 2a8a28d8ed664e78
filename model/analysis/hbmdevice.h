#pragma once

#include "model/core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// A GPU's peak memory bandwidth, and where that figure comes from.
struct HbmDevice {
    std::string name;  ///< "rtx-pro-6000-blackwell"
    std::string title; ///< for display
    double bytesPerSecond = 0;
    double memoryBytes = 0; ///< 0: not known
    std::string source;
};

/// Names of the known devices.
[[nodiscard]] std::vector<std::string> hbmDeviceNames();
/// The device that `text` names: by its name here ("h100-sxm"), by the name a trace gives it ("NVIDIA H200"),
/// or by its bandwidth ("1792GB/s"). Error, never a guess: none of these; the sentence asks for the
/// bandwidth.
[[nodiscard]] Result<HbmDevice> findHbmDevice(std::string_view text);

} // namespace lockstep
