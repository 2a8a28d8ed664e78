#include "model/import/tracereader.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace {

/// What must not depend on the size of the windows in which a file was read.
std::string outcome(const std::string& path, std::size_t windowBytes) {
    lockstep::ReadOptions options;
    options.windowBytes = windowBytes;
    const auto trace = lockstep::readTrace(path, options);
    if (!trace)
        return "error";
    return std::to_string(trace->report.events) + " read, " + std::to_string(trace->report.skipped) +
           " skipped, " + std::to_string(trace->report.repaired) + " repaired, " +
           std::to_string(trace->events.size()) + " kept";
}

} // namespace

/// Any bytes are a trace, or damage that is counted, or an error: never a crash, and the same whatever the
/// windows.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const int file = memfd_create("trace", 0);
    if (file < 0 || write(file, bytes, size) != static_cast<ssize_t>(size))
        std::abort();
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    const std::string large = outcome(path, 1 << 16);
    const std::string small = outcome(path, 256);
    close(file);
    if (large != small) {
        std::fprintf(stderr, "in large windows: %s\nin small windows: %s\n", large.c_str(), small.c_str());
        std::abort();
    }
    return 0;
}
