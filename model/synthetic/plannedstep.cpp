#include "model/synthetic/plannedstep.h"

namespace lockstep {

std::string_view nameOf(SyntheticGroup group) {
    switch (group) {
    case SyntheticGroup::AllReduce:
        return "AllReduce";
    case SyntheticGroup::Attention:
        return "Attention";
    case SyntheticGroup::OtherGemm:
        return "Other GEMMs";
    case SyntheticGroup::MoeGemm:
        return "MoE GEMMs";
    case SyntheticGroup::Routing:
        return "Routing";
    case SyntheticGroup::DtypeCast:
        return "Dtype cast";
    case SyntheticGroup::Other:
        break;
    }
    return "Everything else";
}

double PlannedStep::plannedNs(SyntheticGroup group) const {
    double total = 0;
    for (const PlannedOp& op : ops)
        if (!op.outside && kernels[op.kernel].group == group)
            total += op.durationNs;
    return total;
}

void PlannedStep::scaleTo(SyntheticGroup group, double totalNs) {
    const double planned = plannedNs(group);
    if (planned <= 0)
        return;
    for (PlannedOp& op : ops)
        if (!op.outside && kernels[op.kernel].group == group)
            op.durationNs *= totalNs / planned;
}

} // namespace lockstep
