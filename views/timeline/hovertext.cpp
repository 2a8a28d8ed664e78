#include "views/timeline/hovertext.h"

#include "views/common/format.h"
#include "views/timeline/stallparts.h"

namespace lockstep {

EventText hoverText(const ShownRun& shown, EventRef event) {
    const ShownRank& rank = shown.ranks[event.rank];
    const RankTrace& trace = *rank.trace;
    const EventStore& events = trace.events;
    EventText text;
    text.title = traceText(trace.name(event.event));
    const EventKind kind = events.kind(event.event);
    text.lines << QStringLiteral("%1 · from %2")
                      .arg(durationText(events.duration(event.event)),
                           momentText(rank.toRun(events.range(event.event)).begin - shown.span.begin));
    text.lines << QStringLiteral("rank %1 · %2 · %3")
                      .arg(trace.rank)
                      .arg(traceText(trace.trackOf(event.event).label()), traceText(nameOf(kind)));
    text.lines << stallLines(shown, event);
    return text;
}

} // namespace lockstep
