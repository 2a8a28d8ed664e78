// Load speed and peak memory as a whole process sees them: eight ranks' gzip files, made from one capture.
//   bench_load [RUNS] [TRACE…]      default: 5 runs, ../shared/data/real/kimi-eager-rank{0,1}
#include "model/import/bytesource.h"
#include "model/run/runloader.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <isa-l/igzip_lib.h>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;
constexpr int kRanks = 8;

std::string readAll(const std::string& path) {
    auto source = lockstep::openByteSource(path);
    if (!source) {
        fmt::print(stderr, "{}\n", source.error().toLine());
        std::exit(1);
    }
    std::string text;
    std::vector<char> buffer(1 << 20);
    while (const std::size_t got = (*source)->read(buffer))
        text.append(buffer.data(), got);
    return text;
}

void writeGzip(const fs::path& path, std::string& text) {
    std::vector<std::uint8_t> out(text.size() + (1 << 20));
    std::vector<std::uint8_t> level(ISAL_DEF_LVL2_DEFAULT);
    isal_zstream stream;
    isal_deflate_init(&stream);
    stream.gzip_flag = IGZIP_GZIP;
    stream.level = 2;
    stream.level_buf = level.data();
    stream.level_buf_size = static_cast<std::uint32_t>(level.size());
    stream.end_of_stream = 1;
    stream.next_in = reinterpret_cast<std::uint8_t*>(text.data());
    stream.avail_in = static_cast<std::uint32_t>(text.size());
    stream.next_out = out.data();
    stream.avail_out = static_cast<std::uint32_t>(out.size());
    isal_deflate(&stream);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    std::fwrite(out.data(), 1, stream.total_out, file);
    std::fclose(file);
}

/// The same capture under eight rank numbers; returns the JSON bytes in all.
std::uint64_t makeRanks(const std::vector<std::string>& sources, const fs::path& folder) {
    std::uint64_t bytes = 0;
    for (int rank = 0; rank < kRanks; ++rank) {
        std::string text = readAll(sources[static_cast<std::size_t>(rank) % sources.size()]);
        const std::size_t at = text.find("\"rank\":");
        const std::size_t end = text.find("\"pg_count\"", at);
        if (at != std::string::npos && end != std::string::npos)
            text.replace(at, end - at, fmt::format("\"rank\": {}, \"world_size\": {}, ", rank, kRanks));
        bytes += text.size();
        writeGzip(folder / fmt::format("bench-rank{}.pt.trace.json.gz", rank), text);
    }
    return bytes;
}

struct Measured {
    double seconds = 0;
    double megabytes = 0; ///< peak resident
    double events = 0;
    double columnBytes = 0;
    double allBytes = 0;
};

/// Runs `work` in a process of its own, so that its peak memory is its own.
template <class Work>
Measured inChild(Work work) {
    int pipe[2];
    if (::pipe(pipe) != 0)
        std::exit(1);
    const pid_t child = fork();
    if (child == 0) {
        const Measured measured = work();
        const bool sent = write(pipe[1], &measured, sizeof measured) == sizeof measured;
        _exit(sent ? 0 : 1);
    }
    close(pipe[1]);
    Measured measured;
    const bool got = read(pipe[0], &measured, sizeof measured) == sizeof measured;
    close(pipe[0]);
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    if (!got || status != 0)
        std::exit(1);
    measured.megabytes = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
    return measured;
}

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Measured load(const fs::path& folder) {
    const auto start = std::chrono::steady_clock::now();
    const auto run = lockstep::loadRun({folder.string()});
    Measured measured;
    measured.seconds = secondsSince(start);
    if (!run) {
        fmt::print(stderr, "{}\n", run.error().toLine());
        std::exit(1);
    }
    for (const auto& rank : (*run)->ranks) {
        measured.events += static_cast<double>(rank.events.size());
        measured.columnBytes += static_cast<double>(rank.events.memoryBytes());
        measured.allBytes += static_cast<double>(rank.memoryBytes());
    }
    return measured;
}

/// The same files into nlohmann_json documents, one after the other: decompressed, parsed, freed.
Measured parseDom(const fs::path& folder) {
    Measured measured;
    const auto start = std::chrono::steady_clock::now();
    for (int rank = 0; rank < kRanks; ++rank) {
        const std::string text =
            readAll((folder / fmt::format("bench-rank{}.pt.trace.json.gz", rank)).string());
        const auto json = nlohmann::json::parse(text);
        measured.events += static_cast<double>(json["traceEvents"].size());
    }
    measured.seconds = secondsSince(start);
    return measured;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char** argv) {
    const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
    std::vector<std::string> sources(argv + std::min(argc, 2), argv + argc);
    if (sources.empty())
        for (const char* rank : {"0", "1"})
            sources.push_back(
                fmt::format("{}/data/real/kimi-eager-rank{}.pt.trace.json.gz", LOCKSTEP_SHARED, rank));
    if (!fs::exists(sources.front())) {
        fmt::print("skipped: {} is not here; name traces of your own: bench_load RUNS TRACE…\n",
                   sources.front());
        return 0;
    }
    std::string pattern = (fs::temp_directory_path() / "lockstep-bench-XXXXXX").string();
    const char* made = mkdtemp(pattern.data());
    if (made == nullptr) {
        fmt::print(stderr, "{}: no folder could be made there\n", pattern);
        return 1;
    }
    const fs::path folder = made;
    const double bytes = static_cast<double>(makeRanks(sources, folder)) / 1e6;
    std::vector<double> seconds;
    std::vector<double> memory;
    Measured last;
    inChild([&] {
        return load(folder);
    }); // warm the page cache
    for (int i = 0; i < runs; ++i) {
        last = inChild([&] {
            return load(folder);
        });
        seconds.push_back(last.seconds);
        memory.push_back(last.megabytes);
        fmt::print("load {}: {:.3f} s, {:.0f} MB/s, peak {:.0f} MB\n", i + 1, last.seconds,
                   bytes / last.seconds, last.megabytes);
    }
    const Measured dom = inChild([&] {
        return parseDom(folder);
    });
    fmt::print("\n{} gzip files, {:.0f} MB of JSON, {:.0f} events stored\n", kRanks, bytes, last.events);
    fmt::print("load, median of {}: {:.3f} s, {:.0f} MB/s; peak memory {:.0f} MB\n", runs, median(seconds),
               bytes / median(seconds), median(memory));
    fmt::print("event columns {:.1f} bytes an event; with arguments and indices {:.1f}\n",
               last.columnBytes / last.events, last.allBytes / last.events);
    fmt::print("nlohmann_json, the same files one by one, decompressed, parsed to a DOM and freed: {:.1f} s, "
               "{:.1f} MB/s, peak {:.0f} MB; the load is {:.1f} times as fast\n",
               dom.seconds, bytes / dom.seconds, dom.megabytes, dom.seconds / median(seconds));
    fs::remove_all(folder);
}
