#include "tests/support/secondopinion.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <nlohmann/json.hpp>

namespace lockstep::test {

namespace {

struct Fields {
    std::optional<std::string> phase;
    std::optional<std::string> category;
    TimeNs begin = 0;
    TimeNs duration = 0;
};

/// Takes an event's own fields from the stream of tokens; numbers as they are written, for a double would
/// lose digits.
class EventCounter : public nlohmann::json_sax<nlohmann::json> {
public:
    EventCounter(SecondOpinion& opinion, bool arrayForm)
        : m_opinion(opinion)
        , m_arrayForm(arrayForm) {}

    bool null() override { return value({}); }
    bool boolean(bool) override { return value({}); }
    bool number_integer(number_integer_t number) override { return value(std::to_string(number)); }
    bool number_unsigned(number_unsigned_t number) override { return value(std::to_string(number)); }
    bool number_float(number_float_t, const std::string& text) override { return value(text); }
    bool string(std::string& text) override { return value(text); }
    bool binary(nlohmann::json::binary_t&) override { return true; }
    bool start_object(std::size_t) override { return open(); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(); }
    bool end_array() override { return close(); }
    bool key(std::string& text) override {
        m_keys.back() = text;
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
        return false;
    }

    void finish() {
        for (const auto& [begin, end] : m_activities) {
            m_opinion.firstNs = std::min(m_opinion.firstNs.value_or(begin), begin);
            m_opinion.lastNs = std::max(m_opinion.lastNs.value_or(end), end);
        }
        if (m_opinion.firstNs)
            *m_opinion.firstNs += m_opinion.baseNs;
        if (m_opinion.lastNs)
            *m_opinion.lastNs += m_opinion.baseNs;
    }

private:
    /// Levels that enclose an element of the list of events: the object and its list, or the list alone.
    [[nodiscard]] bool inEvents() const {
        return m_arrayForm ? !m_keys.empty() : m_keys.size() >= 2 && m_keys.front() == "traceEvents";
    }
    [[nodiscard]] std::size_t listLevels() const { return m_arrayForm ? 1 : 2; }

    bool open() {
        if (inEvents() && m_keys.size() == listLevels())
            m_event = {};
        m_keys.emplace_back();
        return true;
    }

    bool close() {
        m_keys.pop_back();
        if (inEvents() && m_keys.size() == listLevels())
            count();
        return true;
    }

    bool value(const std::string& text) {
        if (m_keys.size() == 1 && m_keys.front() == "baseTimeNanoseconds")
            m_opinion.baseNs = std::stoll(text);
        if (!inEvents() || m_keys.size() != listLevels() + 1)
            return true;
        const std::string& key = m_keys.back();
        if (key == "ph")
            m_event.phase = text;
        else if (key == "cat")
            m_event.category = text;
        else if (key == "ts")
            m_event.begin = nanosecondsOf(text);
        else if (key == "dur")
            m_event.duration = nanosecondsOf(text);
        return true;
    }

    void count() {
        ++m_opinion.events;
        ++m_opinion.byPhase[m_event.phase.value_or("None")];
        if (!m_event.category)
            return;
        const std::string& category = *m_event.category;
        ++m_opinion.byCategory[category];
        if (m_event.phase != "X")
            return;
        const bool kernel = category == "kernel" || category == "Kernel";
        if (kernel) {
            ++m_opinion.kernels;
            m_opinion.kernelSumNs += m_event.duration;
        }
        if (kernel || category == "gpu_memcpy" || category == "gpu_memset" || category == "Memcpy" ||
            category == "Memset")
            m_activities.emplace_back(m_event.begin, m_event.begin + m_event.duration);
    }

    SecondOpinion& m_opinion;
    std::vector<std::string> m_keys; ///< of each open level, the key read last
    Fields m_event;
    std::vector<std::pair<TimeNs, TimeNs>> m_activities;
    bool m_arrayForm;
};

} // namespace

TimeNs nanosecondsOf(std::string_view microseconds) {
    const bool negative = microseconds.starts_with('-');
    if (negative)
        microseconds.remove_prefix(1);
    const std::size_t exponentAt = std::min(microseconds.find_first_of("eE"), microseconds.size());
    std::string_view mantissa = microseconds.substr(0, exponentAt);
    std::string_view exponentText = microseconds.substr(std::min(exponentAt + 1, microseconds.size()));
    if (exponentText.starts_with('+'))
        exponentText.remove_prefix(1);
    int exponent = 0;
    std::from_chars(exponentText.data(), exponentText.data() + exponentText.size(), exponent);
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    std::string digits(mantissa.substr(0, point));
    if (point < mantissa.size())
        digits += mantissa.substr(point + 1);
    // Where the point stands once the number is in nanoseconds.
    const auto wholeDigits = static_cast<std::ptrdiff_t>(point) + exponent + 3;
    digits.resize(static_cast<std::size_t>(std::max<std::ptrdiff_t>(wholeDigits, 0)), '0');
    TimeNs nanoseconds = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), nanoseconds);
    return negative ? -nanoseconds : nanoseconds;
}

std::optional<SecondOpinion> readAgain(std::string_view text) {
    SecondOpinion opinion;
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    EventCounter counter(opinion, start != std::string_view::npos && text[start] == '[');
    if (!nlohmann::json::sax_parse(text, &counter))
        return std::nullopt;
    counter.finish();
    return opinion;
}

} // namespace lockstep::test
