#pragma once

#include "model/core/ids.h"
#include "model/run/collectives.h"

#include <string_view>
#include <vector>

namespace lockstep {

struct Run;

/// Whether a kernel computes attention itself (not its cache, rotary embedding, combination or metadata).
[[nodiscard]] bool isAttentionCore(std::string_view kernelName);
/// The part of a kernel's name before its template arguments and parameters, in lower case.
[[nodiscard]] std::string headOfKernelName(std::string_view kernelName);

/// What the kernels of a run are by their names; each distinct name is looked at once.
class KernelNames {
public:
    explicit KernelNames(const Run& run);

    [[nodiscard]] CollectiveName collective(StringId name) const { return m_collectives[name.index()]; }
    [[nodiscard]] bool communication(StringId name) const {
        return name.valid() && m_collectives[name.index()].communication;
    }
    [[nodiscard]] bool attention(StringId name) const {
        return name.valid() && m_attention[name.index()] != 0;
    }

private:
    std::vector<CollectiveName> m_collectives; ///< by StringId
    std::vector<char> m_attention;             ///< by StringId
};

} // namespace lockstep
