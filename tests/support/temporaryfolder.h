#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep::test {

/// A folder of its own for one test, removed with all that is in it when the object goes.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] std::string path() const { return m_path.string(); }
    /// The path of a file or folder in it, which need not exist.
    [[nodiscard]] std::string path(std::string_view name) const { return (m_path / name).string(); }
    /// Writes `bytes` to the file `name` (folders in it are made) and returns its path.
    std::string write(std::string_view name, std::string_view bytes) const;

private:
    std::filesystem::path m_path;
};

} // namespace lockstep::test
