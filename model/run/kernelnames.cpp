#include "model/run/kernelnames.h"

#include "model/run/run.h"

#include <array>
#include <cctype>
#include <string>

namespace lockstep {

namespace {

bool contains(std::string_view text, std::string_view fragment) {
    return text.find(fragment) != std::string_view::npos;
}

template <std::size_t N>
bool containsAny(std::string_view text, const std::array<std::string_view, N>& fragments) {
    for (const std::string_view fragment : fragments)
        if (contains(text, fragment))
            return true;
    return false;
}

/// "mla" as a word of its own: "gemmlarge" holds the letters too.
bool containsWord(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const bool free = at == 0 || std::isalpha(static_cast<unsigned char>(text[at - 1])) == 0;
        const std::size_t end = at + word.size();
        if (free && (end == text.size() || std::isalpha(static_cast<unsigned char>(text[end])) == 0))
            return true;
    }
    return false;
}

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

} // namespace

std::string headOfKernelName(std::string_view name) {
    constexpr std::string_view kAnonymous = "(anonymous namespace)";
    std::string head;
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (name.substr(i).starts_with(kAnonymous)) {
            i += kAnonymous.size() - 1;
            continue;
        }
        if (c == '(' && depth == 0)
            break;
        if (c == '<')
            ++depth;
        else if (c == '>' && depth > 0)
            --depth;
        else if (depth == 0)
            head.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    }
    return head;
}

bool isAttentionCore(std::string_view kernelName) {
    // Template arguments count here: FlashAttention 3 is a `cutlass::device_kernel<flash::…>`.
    constexpr std::array<std::string_view, 13> kAround{
        "cache",   "rope", "combine", "merge",   "reduction",    "metadata",  "prepare",
        "_logits", "topk", "indexer", "rmsnorm", "reducekernel", "layer_norm"};
    constexpr std::array<std::string_view, 9> kCore{"flash", "fmha",        "attention",    "attn", "sdpa",
                                                    "paged", "batchdecode", "batchprefill", "mqa_"};
    const std::string head = headOfKernelName(kernelName);
    const bool wrapper = contains(head, "device_kernel") || head.empty();
    std::string text = wrapper ? lowerCase(kernelName) : head;
    // FlashInfer's name is in all it does: norms, activations and sampling too.
    constexpr std::string_view kLibrary = "flashinfer";
    for (std::size_t at = text.find(kLibrary); at != std::string::npos; at = text.find(kLibrary))
        text.erase(at, kLibrary.size());
    if (containsAny(text, kAround) && !contains(head, "batchdecode") && !contains(head, "batchprefill"))
        return false;
    return containsAny(text, kCore) || containsWord(text, "mla");
}

KernelNames::KernelNames(const Run& run) {
    const std::size_t count = run.strings ? run.strings->size() : 0;
    m_collectives.resize(count);
    m_attention.assign(count, 0);
    std::vector<char> seen(count, 0);
    for (const RankTrace& rank : run.ranks) {
        for (std::size_t i = 0; i < rank.events.size(); ++i) {
            const EventId id{i};
            const StringId name = rank.events.name(id);
            if (rank.events.kind(id) != EventKind::Kernel || !name.valid() || seen[name.index()] != 0)
                continue;
            seen[name.index()] = 1;
            const std::string_view text = run.strings->view(name);
            m_collectives[name.index()] = classifyCollective(text);
            m_attention[name.index()] =
                static_cast<char>(!m_collectives[name.index()].communication && isAttentionCore(text));
        }
    }
}

} // namespace lockstep
