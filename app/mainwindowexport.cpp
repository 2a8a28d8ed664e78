#include "app/comparisonpanel.h"
#include "app/docks.h"
#include "app/exportdialog.h"
#include "app/mainwindow.h"
#include "app/viewsession.h"
#include "app/whatifpanel.h"
#include "views/common/filters.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace lockstep {

namespace {

/// What is chosen and filtered in the window, as exports take it.
ReportScope scopeOf(const ViewState& state) {
    ReportScope scope;
    const Filters& filters = state.filters();
    if (state.step())
        scope.step = static_cast<std::uint32_t>(*state.step());
    else if (!state.stepSet().empty() || filters.range || filters.decodeOnly)
        scope.steps = state.chosenSteps();
    if (!filters.ranks.empty())
        scope.ranks = state.chosenRanks();
    if (state.rules())
        scope.rules = *state.rules();
    const CategorySet* set = state.categories() ? &state.categories()->rules.set : nullptr;
    for (const FilterChip& chip : chipsOf(filters, state.shown()->span.begin, set)) {
        const bool mutes =
            chip.kind == FilterChip::Kind::Categories || chip.kind == FilterChip::Kind::Streams;
        scope.filters.push_back(
            (mutes ? QObject::tr("filter not applied here: %1") : QObject::tr("filter: %1"))
                .arg(chip.text)
                .toStdString());
    }
    return scope;
}

/// Reads the files once more for their hashes, so not on the GUI thread.
Result<std::vector<ReportView>> viewsOf(const std::shared_ptr<const RunAnalysis>& analysis,
                                        const std::shared_ptr<const RunAnalysis>& other,
                                        const ReportScope& scope, const WhatIfInputs& whatIf) {
    auto subject = reportSubject(analysis, scope);
    if (!subject)
        return make_unexpected(subject.error());
    ReportViewsOf of{std::make_shared<const ReportSubject>(std::move(*subject)), nullptr, whatIf};
    if (other) {
        ReportScope same;
        same.rules = scope.rules;
        auto otherSubject = reportSubject(other, same);
        if (!otherSubject)
            return make_unexpected(otherSubject.error());
        of.other = std::make_shared<const ReportSubject>(std::move(*otherSubject));
    }
    return reportViews(of);
}

} // namespace

/// Shows what can be exported of the open run; says so where it is not analysed yet.
void MainWindow::exportViews() {
    const std::shared_ptr<const RunAnalysis> analysis = m_state.shown()->analysis;
    if (!analysis) {
        showProblem(tr("There is nothing to export until a run is open and analysed."));
        return;
    }
    const ReportScope scope = scopeOf(m_state);
    if ((m_state.chosenSteps().empty() && !analysis->steps.steps.empty()) || m_state.chosenRanks().empty()) {
        showProblem(tr("The filters leave nothing to export: take one away."));
        return;
    }
    const auto other = m_state.comparison().run ? m_state.comparison().run->analysis : nullptr;
    m_exports.start(
        [analysis, other, scope, whatIf = m_docks->whatIf().inputs()](const std::stop_token&) {
            return viewsOf(analysis, other, scope, whatIf);
        },
        [this, analysis](const Result<std::vector<ReportView>>& views) {
            if (!views) {
                showProblem(QString::fromStdString(views.error().toLine()));
                return;
            }
            if (m_state.shown()->analysis != analysis)
                return; // another run was opened meanwhile
            auto* dialog = new ExportDialog(*views, QString::fromStdString(analysis->run->name), this);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->open();
        });
}

void MainWindow::saveSession() {
    const auto session = sessionOf(m_state);
    if (!session) {
        showProblem(QString::fromStdString(session.error().toLine()));
        return;
    }
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Save session"), QString::fromStdString(m_state.shown()->run->name + ".lockstep"),
        tr("Lockstep sessions (*.lockstep)"));
    if (file.isEmpty())
        return;
    const QString named =
        file.endsWith(QLatin1String(".lockstep")) ? file : file + QLatin1String(".lockstep");
    if (const auto written = writeSession(*session, named.toStdString()); !written)
        showProblem(QString::fromStdString(written.error().toLine()));
}

/// Opens the session's files, asking for those that are missing or have changed, and shows them as they were
/// saved once they are analysed.
void MainWindow::openSession(const QString& path) {
    auto session = readSession(path.toStdString());
    if (!session) {
        showProblem(QString::fromStdString(session.error().toLine()));
        return;
    }
    for (const SessionProblem& problem : problemsOf(*session)) {
        const QString name = QString::fromStdString(problem.path);
        QString replacement = name;
        if (problem.missing)
            replacement =
                QFileDialog::getOpenFileName(this, tr("Where is %1?").arg(QFileInfo(name).fileName()));
        else if (QMessageBox::question(this, tr("Session"),
                                       tr("%1 has changed since the session was saved. Open it all the same?")
                                           .arg(QFileInfo(name).fileName())) != QMessageBox::Yes)
            replacement.clear();
        if (replacement.isEmpty())
            return;
        for (auto* files : {&session->files, &session->comparison})
            for (SessionFile& file : *files)
                if (file.path == problem.path)
                    file.path = sessionPath(replacement.toStdString());
    }
    QStringList files;
    for (const SessionFile& file : session->files)
        files << QString::fromStdString(file.path);
    QStringList other;
    for (const SessionFile& file : session->comparison)
        other << QString::fromStdString(file.path);
    auto connection = std::make_shared<QMetaObject::Connection>();
    *connection = connect(this, &MainWindow::analysed, this, [this, session = *session, connection] {
        disconnect(*connection);
        if (isOf(session, m_state))
            applySession(session, m_state);
    });
    m_loads->open(files);
    if (!other.isEmpty())
        m_docks->comparison().compareWith(other);
}

} // namespace lockstep
