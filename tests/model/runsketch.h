#pragma once

#include "model/run/run.h"
#include "model/run/steps.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace lockstep::test {

/// A run of a few GPU activities, put together by hand: no file, no CPU side but ops that are asked for.
class RunSketch {
public:
    struct Activity {
        std::string name;
        TimeNs begin = 0;
        TimeNs duration = 0;
        int stream = 7;
        std::uint32_t step = 0;
        std::string op{};
        std::uint16_t layer = 0xFFFF;
    };

    /// Adds a rank with these activities.
    RunSketch& rank(std::vector<Activity> activities) {
        m_ranks.push_back(std::move(activities));
        return *this;
    }
    /// Adds a rank whose kernels follow each other on one stream, 10 ns each.
    RunSketch& sequence(const std::vector<std::string>& names) {
        std::vector<Activity> activities;
        for (const std::string& name : names)
            activities.push_back({name, static_cast<TimeNs>(activities.size()) * 10, 10});
        return rank(std::move(activities));
    }

    /// Makes `run` and `steps`.
    RunSketch& build() {
        auto pool = std::make_shared<StringPool>();
        std::uint32_t stepCount = 0;
        for (const auto& activities : m_ranks)
            for (const Activity& activity : activities)
                if (activity.step != RankActivities::kNone)
                    stepCount = std::max(stepCount, activity.step + 1);
        steps.source = StepSource::CpuAnnotation;
        steps.steps.resize(stepCount);
        for (std::uint32_t s = 0; s < stepCount; ++s) {
            steps.steps[s].name = "step " + std::to_string(s);
            steps.steps[s].kind = StepKind::Decode;
        }
        for (const auto& activities : m_ranks)
            addRank(activities, *pool);
        for (RankTrace& trace : run.ranks)
            trace.strings = pool;
        run.strings = pool;
        run.worldSize = static_cast<int>(run.ranks.size());
        return *this;
    }

    Run run;
    StepTable steps;

private:
    static EventKind kindOf(const std::string& name) {
        if (name.starts_with("Memcpy "))
            return EventKind::Memcpy;
        return name.starts_with("Memset ") ? EventKind::Memset : EventKind::Kernel;
    }

    void addRank(const std::vector<Activity>& activities, StringPool& pool) {
        RankTrace trace;
        trace.rank = static_cast<int>(run.ranks.size());
        std::map<int, std::vector<const Activity*>> byStream;
        for (const Activity& activity : activities)
            byStream[activity.stream].push_back(&activity);
        std::vector<std::pair<EventId, const Activity*>> all;
        std::vector<Event> ops;
        std::uint32_t key = 0;
        for (auto& [stream, list] : byStream) {
            std::stable_sort(list.begin(), list.end(), [](const Activity* a, const Activity* b) {
                return a->begin < b->begin;
            });
            Track track;
            track.kind = TrackKind::GpuStream;
            track.tid = std::to_string(stream);
            track.firstLane = LaneId(trace.lanes.size());
            track.laneCount = 1;
            trace.lanes.push_back({TrackId(trace.tracks.size()), 0, EventId(trace.events.size()),
                                   static_cast<std::uint32_t>(list.size())});
            trace.tracks.push_back(track);
            for (const Activity* activity : list) {
                Event event;
                event.begin = activity->begin;
                event.duration = activity->duration;
                event.name = pool.intern(activity->name);
                event.lane = LaneId(trace.lanes.size() - 1);
                event.kind = kindOf(activity->name);
                event.correlation = ++key;
                event.externalId = activity->op.empty() ? 0 : key;
                all.emplace_back(trace.events.append(event), activity);
                if (!activity->op.empty()) {
                    Event op;
                    op.name = pool.intern(activity->op);
                    op.kind = EventKind::CpuOp;
                    op.externalId = key;
                    ops.push_back(op);
                }
            }
        }
        Track cpu;
        cpu.kind = TrackKind::CpuThread;
        cpu.firstLane = LaneId(trace.lanes.size());
        cpu.laneCount = 1;
        trace.lanes.push_back({TrackId(trace.tracks.size()), 0, EventId(trace.events.size()),
                               static_cast<std::uint32_t>(ops.size())});
        trace.tracks.push_back(cpu);
        for (Event& op : ops) {
            op.lane = LaneId(trace.lanes.size() - 1);
            trace.events.append(op);
        }
        trace.launches = LaunchIndex(trace.events);
        addSteps(trace, all);
        run.ranks.push_back(std::move(trace));
    }

    void addSteps(const RankTrace& trace, std::vector<std::pair<EventId, const Activity*>>& all) {
        std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
            return std::pair(trace.events.begin(a.first), a.first) <
                   std::pair(trace.events.begin(b.first), b.first);
        });
        RankActivities& activities = steps.ranks.emplace_back();
        for (Step& step : steps.steps)
            step.ranks.emplace_back();
        for (const auto& [event, activity] : all) {
            const auto index = static_cast<std::uint32_t>(activities.events.size());
            activities.events.push_back(event);
            if (activities.runs.empty() || activities.runs.back().step != activity->step ||
                activities.runs.back().layer != activity->layer)
                activities.runs.push_back({index, activity->step, activity->layer});
            if (activity->step == RankActivities::kNone)
                continue;
            RankStep& step = steps.steps[activity->step].ranks.back();
            const TimeRange range = trace.events.range(event);
            step.range = step.present ? TimeRange{std::min(step.range.begin, range.begin),
                                                  std::max(step.range.end, range.end)}
                                      : range;
            if (!step.present)
                step.firstActivity = index;
            step.endActivity = index + 1;
            step.present = true;
            if (trace.events.kind(event) == EventKind::Kernel) {
                ++step.kernels;
                step.kernelSumNs += trace.events.duration(event);
            }
            if (activity->layer != 0xFFFF)
                step.layers = std::max(step.layers, activity->layer + 1u);
        }
    }

    std::vector<std::vector<Activity>> m_ranks;
};

} // namespace lockstep::test
