#pragma once

#include <QObject>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace lockstep {

/// Work off the GUI thread, of which only the newest counts: starting anew or cancelling asks the one before
/// to stop, and its answer is dropped. Answers arrive on the owner's thread or not at all. A member of its
/// owner.
template <class T>
class Job {
public:
    using Work = std::function<T(std::stop_token)>;
    using Answer = std::function<void(T)>;

    explicit Job(QObject& owner)
        : m_owner(owner) {}
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    /// Asks all work to stop and waits for it.
    ~Job() = default;

    void start(Work work, Answer answer) {
        cancel();
        forgetEnded();
        m_running = true;
        auto ended = std::make_shared<std::atomic<bool>>(false);
        // Qt's queue hands the result over in order too, but where ThreadSanitizer cannot see it.
        auto handed = std::make_shared<std::atomic<bool>>(false);
        const std::uint64_t number = m_newest;
        std::jthread thread([this, number, ended, handed, work = std::move(work),
                             answer = std::move(answer)](const std::stop_token& stop) {
            auto result = std::make_shared<std::optional<T>>(work(stop));
            handed->store(true, std::memory_order_release);
            QMetaObject::invokeMethod(
                &m_owner,
                [this, number, result, handed, answer] {
                    if (!handed->load(std::memory_order_acquire) || number != m_newest || !m_running)
                        return;
                    m_running = false;
                    answer(std::move(result->value()));
                },
                Qt::QueuedConnection);
            ended->store(true);
        });
        m_threads.push_back({std::move(thread), std::move(ended)});
    }

    /// The work under way will give no answer.
    void cancel() {
        ++m_newest;
        m_running = false;
        for (Thread& thread : m_threads)
            thread.thread.request_stop();
    }

    [[nodiscard]] bool running() const { return m_running; }

private:
    struct Thread {
        std::jthread thread;
        std::shared_ptr<std::atomic<bool>> ended;
    };

    void forgetEnded() {
        std::erase_if(m_threads, [](const Thread& thread) {
            return thread.ended->load();
        });
    }

    QObject& m_owner;
    std::uint64_t m_newest = 0;
    bool m_running = false;
    std::vector<Thread> m_threads; ///< last: ends before what its answers touch
};

} // namespace lockstep
