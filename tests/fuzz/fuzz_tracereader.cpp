#include "model/import/tracereader.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace {

lockstep::Result<lockstep::RankTrace> read(const std::string& path, std::size_t windowBytes) {
    lockstep::ReadOptions options;
    options.windowBytes = windowBytes;
    return lockstep::readTrace(path, options);
}

/// Whether each event lies in the lane that claims it, in order of begin, and lasts no negative time.
bool isOrdered(const lockstep::RankTrace& trace) {
    std::size_t next = 0;
    for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane) {
        if (trace.lanes[lane].beginIndex() != next)
            return false;
        for (; next < trace.lanes[lane].endIndex(); ++next) {
            const lockstep::EventId id{next};
            const bool first = next == trace.lanes[lane].beginIndex();
            if (trace.events.lane(id).index() != lane || trace.events.duration(id) < 0 ||
                (!first && trace.events.begin(id) < trace.events.begin(lockstep::EventId{next - 1})))
                return false;
        }
    }
    return next == trace.events.size();
}

void require(bool promise, const char* what) {
    if (promise)
        return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

} // namespace

/// Any bytes are a trace, or damage that is counted, or an error, and never a crash; what is sound is so in
/// any window.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const int file = memfd_create("trace", 0);
    require(file >= 0 && write(file, bytes, size) == static_cast<ssize_t>(size), "a file in memory");
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    const auto large = read(path, 1 << 16);
    const auto small = read(path, 256);
    close(file);
    if (large)
        require(isOrdered(*large), "events are sorted by lane and begin");
    if (small)
        require(isOrdered(*small), "events are sorted by lane and begin, with small windows");
    if (large && !large->report.damaged()) {
        require(small.has_value(), "what is sound in large windows can be read in small ones");
        require(small->report.events == large->report.events && !small->report.damaged(),
                "what is sound in large windows is so in small ones");
    }
    return 0;
}
