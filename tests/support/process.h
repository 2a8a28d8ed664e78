#pragma once

#include <string>
#include <vector>

namespace lockstep::test {

/// What a program that has ended left.
struct Finished {
    int status = -1; ///< exit status; −1: ended by a signal, or not started
    std::string out;
    std::string err;
};

/// Runs `program` with `arguments`, no standard input, and waits for it.
[[nodiscard]] Finished runProgram(const std::string& program, const std::vector<std::string>& arguments);

} // namespace lockstep::test
