#include "model/analysis/whatifreplay.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_map>

namespace lockstep {

namespace {

/// What begins so soon after its launch was waiting for the host, not for the GPU.
constexpr TimeNs kLaunchBound = 10'000;
/// The least time from a launch to the begin of its kernel.
constexpr TimeNs kLaunchLatency = 4'000;
/// A kernel begins so soon after the one before it if its launch lies far enough back.
constexpr TimeNs kBackToBack = 1'000;
constexpr std::int32_t kNone = -1;
constexpr TimeNs kUnknown = std::numeric_limits<TimeNs>::min();

/// What an activity was seen to follow.
struct Predecessors {
    std::int32_t onStream = kNone;
    std::int32_t lastFinished = kNone; ///< the latest end at or before this begin, on any stream
};

std::vector<Predecessors> findPredecessors(const std::vector<ReplayActivity>& activities) {
    using Ending = std::pair<TimeNs, std::int32_t>;
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> running;
    std::unordered_map<std::int64_t, std::int32_t> streams;
    std::vector<Predecessors> result(activities.size());
    std::int32_t finished = kNone;
    for (std::size_t i = 0; i < activities.size(); ++i) {
        const ReplayActivity& activity = activities[i];
        while (!running.empty() && running.top().first <= activity.begin) {
            finished = running.top().second;
            running.pop();
        }
        result[i].lastFinished = finished;
        const auto index = static_cast<std::int32_t>(i);
        if (const auto [place, isNew] = streams.try_emplace(activity.stream, index); !isNew) {
            result[i].onStream = place->second;
            place->second = index;
        }
        running.emplace(activity.end, index);
    }
    return result;
}

/// A collective as measured and as replayed.
struct Meeting {
    std::vector<std::pair<std::size_t, std::size_t>> members; ///< rank, activity
    TimeNs measuredTransfer = 0;
    std::vector<TimeNs> arrivals; ///< replayed, like members; kUnknown until the member has come
    std::size_t arrived = 0;
    bool left = false;
};

class Replay {
public:
    Replay(const ReplayStep& step, const ReplayChanges& changes)
        : m_step(step)
        , m_changes(changes)
        , m_ranks(step.ranks.size())
        , m_meetings(step.collectives) {
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            m_ranks[r].predecessors = findPredecessors(step.ranks[r]);
            m_ranks[r].begins.resize(step.ranks[r].size(), kUnknown);
            m_ranks[r].ends.resize(step.ranks[r].size(), kUnknown);
        }
        measureMeetings();
    }

    TimeNs wall() {
        while (pass())
            ;
        TimeNs first = std::numeric_limits<TimeNs>::max();
        TimeNs last = std::numeric_limits<TimeNs>::min();
        for (const Rank& rank : m_ranks) {
            for (std::size_t i = 0; i < rank.next; ++i) {
                first = std::min(first, rank.begins[i]);
                last = std::max(last, rank.ends[i]);
            }
        }
        return last > first ? last - first : 0;
    }

private:
    struct Rank {
        std::vector<Predecessors> predecessors;
        std::vector<TimeNs> begins;
        std::vector<TimeNs> ends;
        std::size_t next = 0;
        TimeNs hostGain = 0; ///< the host is ahead of what was measured, where its lateness is taken away
    };

    void measureMeetings() {
        for (std::size_t r = 0; r < m_step.ranks.size(); ++r)
            for (std::size_t i = 0; i < m_step.ranks[r].size(); ++i)
                if (const std::int32_t c = m_step.ranks[r][i].collective; c >= 0)
                    m_meetings[static_cast<std::size_t>(c)].members.emplace_back(r, i);
        for (Meeting& meeting : m_meetings) {
            meeting.arrivals.resize(meeting.members.size(), kUnknown);
            std::vector<TimeNs> ends;
            TimeNs last = std::numeric_limits<TimeNs>::min();
            for (const auto& [r, i] : meeting.members) {
                const std::vector<ReplayActivity>& activities = m_step.ranks[r];
                const std::int32_t before = m_ranks[r].predecessors[i].onStream;
                const TimeNs free =
                    before == kNone ? activities[i].begin : activities[static_cast<std::size_t>(before)].end;
                last = std::max(last, std::min(std::max(activities[i].begin, free), activities[i].end));
                ends.push_back(activities[i].end);
            }
            if (ends.empty())
                continue;
            const auto middle = ends.begin() + static_cast<std::ptrdiff_t>(ends.size() / 2);
            std::nth_element(ends.begin(), middle, ends.end());
            meeting.measuredTransfer = std::max<TimeNs>(*middle - last, 0);
        }
    }

    /// Lets every rank run until it must know how a collective ends; true while anything moved.
    bool pass() {
        bool moved = false;
        for (std::size_t r = 0; r < m_ranks.size(); ++r)
            while (m_ranks[r].next < m_step.ranks[r].size() && runNext(r))
                moved = true;
        if (moved)
            return true;
        // Ranks that met in another order than this: the first that waits leaves with those who have come.
        for (std::size_t c = 0; c < m_meetings.size(); ++c) {
            if (!m_meetings[c].left && m_meetings[c].arrived > 0) {
                leave(c);
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] bool known(const Rank& rank, std::int32_t activity) const {
        return activity == kNone || rank.ends[static_cast<std::size_t>(activity)] != kUnknown;
    }

    bool runNext(std::size_t r) {
        Rank& rank = m_ranks[r];
        const std::size_t i = rank.next;
        const std::vector<ReplayActivity>& activities = m_step.ranks[r];
        const ReplayActivity& activity = activities[i];
        const Predecessors& before = rank.predecessors[i];
        if (!known(rank, before.onStream) || !known(rank, before.lastFinished))
            return false;
        TimeNs begin = kUnknown;
        TimeNs free = kUnknown;
        const TimeNs launch = m_changes.withoutHost ? kUnknown : activity.launch.value_or(kUnknown);
        const bool launched = launch != kUnknown && launch <= activity.begin;
        const TimeNs sinceLaunch = launched ? activity.begin - launch : 0;
        const bool launchBound = launched && sinceLaunch <= kLaunchBound;
        if (launched)
            begin = launch - rank.hostGain + (launchBound ? sinceLaunch : kLaunchLatency);
        if (before.lastFinished != kNone) {
            const auto p = static_cast<std::size_t>(before.lastFinished);
            const TimeNs gap = activity.begin - activities[p].end;
            begin = std::max(begin, rank.ends[p] + (launchBound ? std::min(gap, kBackToBack) : gap));
        }
        if (before.onStream != kNone) {
            const auto p = static_cast<std::size_t>(before.onStream);
            free = rank.ends[p];
            // It may have begun before its predecessor ended (programmatic dependent launch): as early again.
            begin = std::max(begin, free + std::min<TimeNs>(activity.begin - activities[p].end, 0));
        }
        if (before.lastFinished == kNone && before.onStream == kNone)
            begin = activity.begin;
        rank.begins[i] = begin;
        ++rank.next;
        if (activity.collective >= 0)
            arrive(r, i, std::max(begin, free));
        else
            rank.ends[i] = begin + durationOf(r, i);
        return true;
    }

    [[nodiscard]] TimeNs durationOf(std::size_t r, std::size_t i) const {
        if (!m_changes.durations.empty())
            return m_changes.durations[r][i];
        return m_step.ranks[r][i].end - m_step.ranks[r][i].begin;
    }

    void arrive(std::size_t r, std::size_t i, TimeNs at) {
        const auto c = static_cast<std::size_t>(m_step.ranks[r][i].collective);
        Meeting& meeting = m_meetings[c];
        if (meeting.left) { // it has left without this rank
            m_ranks[r].ends[i] = at;
            return;
        }
        for (std::size_t m = 0; m < meeting.members.size(); ++m)
            if (meeting.members[m] == std::pair(r, i))
                meeting.arrivals[m] = at;
        if (++meeting.arrived == meeting.members.size())
            leave(c);
    }

    void leave(std::size_t c) {
        Meeting& meeting = m_meetings[c];
        meeting.left = true;
        std::vector<TimeNs> arrivals;
        for (const TimeNs arrival : meeting.arrivals)
            if (arrival != kUnknown)
                arrivals.push_back(arrival);
        std::sort(arrivals.begin(), arrivals.end());
        const TimeNs together =
            m_changes.withoutStalls ? arrivals[(arrivals.size() - 1) / 2] : arrivals.back();
        TimeNs transfer = meeting.measuredTransfer;
        if (c < m_changes.transfers.size() && m_changes.transfers[c])
            transfer = *m_changes.transfers[c];
        for (std::size_t m = 0; m < meeting.members.size(); ++m) {
            if (meeting.arrivals[m] == kUnknown)
                continue;
            const auto [r, i] = meeting.members[m];
            if (m_changes.withoutStalls && meeting.arrivals[m] > together) {
                endBy(r, i, together);
                m_ranks[r].hostGain += meeting.arrivals[m] - together;
            }
            m_ranks[r].ends[i] = together + transfer;
        }
    }

    /// What this rank had done before its collective is taken to be done when the median rank's was.
    void endBy(std::size_t r, std::size_t collective, TimeNs time) {
        Rank& rank = m_ranks[r];
        const std::vector<ReplayActivity>& activities = m_step.ranks[r];
        rank.begins[collective] = std::min(rank.begins[collective], time);
        for (std::size_t i = collective; i-- > 0 && activities[i].collective < 0;) {
            if (activities[i].end <= activities[collective].begin && rank.ends[i] != kUnknown) {
                rank.ends[i] = std::min(rank.ends[i], time);
                rank.begins[i] = std::min(rank.begins[i], rank.ends[i]);
            }
        }
    }

    const ReplayStep& m_step;
    const ReplayChanges& m_changes;
    std::vector<Rank> m_ranks;
    std::vector<Meeting> m_meetings;
};

} // namespace

TimeNs replayWall(const ReplayStep& step, const ReplayChanges& changes) {
    return Replay(step, changes).wall();
}

} // namespace lockstep
