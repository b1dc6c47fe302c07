#pragma once

namespace dispersion {

// How work stands beside other work of this program on the same device: blocks of background work
// begin where no block of foreground work waits.
enum class DeviceUse { kForeground, kBackground };

}  // namespace dispersion
