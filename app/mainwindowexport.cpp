#include "app/categoryeditor.h"
#include "app/comparisonpanel.h"
#include "app/docks.h"
#include "app/exportdialog.h"
#include "app/mainwindow.h"
#include "app/viewsession.h"
#include "app/whatifpanel.h"
#include "model/report/sessionscope.h"
#include "model/report/whatifview.h"
#include "views/panels/searchbar.h"
#include "views/timeline/timelinepanel.h"
#include "views/timeline/timelineview.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QStatusBar>

namespace lockstep {

namespace {

/// Reads the files once more for their hashes, so not on the GUI thread.
Result<std::vector<ReportView>> viewsOf(const std::shared_ptr<const RunAnalysis>& analysis,
                                        const std::shared_ptr<const RunAnalysis>& other,
                                        const ReportScope& scope, TimeRange visible,
                                        const WhatIfInputs& whatIf) {
    auto subject = reportSubject(analysis, scope);
    if (!subject)
        return make_unexpected(subject.error());
    ReportViewsOf of{std::make_shared<const ReportSubject>(std::move(*subject)), nullptr, visible, nullptr};
    // What the panel projects; where nothing is chosen there, expert parallelism.
    const bool chosen = !whatIf.substitutions.empty() || whatIf.imbalance > 1;
    if (auto projected = projectSubject(*of.subject, chosen ? whatIf : expertParallelInputs());
        projected && !projected->lines.empty())
        of.projected = std::make_shared<const WhatIfResult>(std::move(*projected));
    if (other) {
        ReportScope same;
        same.rules = scope.rules;
        same.streams = scope.streams;
        same.onlyCategories = scope.onlyCategories;
        auto otherSubject = reportSubject(other, same);
        if (!otherSubject)
            return make_unexpected(otherSubject.error());
        of.other = std::make_shared<const ReportSubject>(std::move(*otherSubject));
    }
    return reportViews(of);
}

} // namespace

void MainWindow::exportViews() {
    const std::shared_ptr<const RunAnalysis> analysis = m_state.shown()->analysis;
    if (!analysis) {
        showProblem(tr("There is nothing to export until a run is open and analysed."));
        return;
    }
    // By way of a session, as lockstep-cli does it: so both write the same.
    auto scope = scopeOf(sessionOf(m_state, {}), *analysis);
    if (!scope) {
        showProblem(QString::fromStdString(scope.error().toLine()));
        return;
    }
    if (m_state.rules())
        scope->rules = *m_state.rules();
    const auto other = m_state.comparison().run ? m_state.comparison().run->analysis : nullptr;
    m_exports.start(
        [analysis, other, scope = *scope, visible = m_state.visibleRange(),
         whatIf = m_docks->whatIf().inputs()](const std::stop_token&) {
            return viewsOf(analysis, other, scope, visible, whatIf);
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
    const std::shared_ptr<const ShownRun> shown = m_state.shown();
    if (!shown->run) {
        showProblem(tr("There is no open run to save."));
        return;
    }
    const QString file = QFileDialog::getSaveFileName(this, tr("Save session"),
                                                      QString::fromStdString(shown->run->name + ".lockstep"),
                                                      tr("Lockstep sessions (*.lockstep)"));
    if (!file.isEmpty())
        writeSessionTo(file.endsWith(QLatin1String(".lockstep")) ? file : file + QLatin1String(".lockstep"));
}

/// The files are read once more for their hashes, so off the GUI thread.
void MainWindow::writeSessionTo(const QString& file) {
    Session session = sessionOf(m_state, m_timeline->view().tracks().arrangement());
    if (!m_docks->rules().own().rules.empty())
        session.categories = m_docks->rules().file().toStdString();
    session.view.panels = saveState().toBase64().toStdString();
    for (const QString& front : m_docks->fronts())
        session.view.frontPanels.push_back(front.toStdString());
    m_sessionWrites.start(
        [session = std::move(session), shown = m_state.shown(), other = m_state.comparison().run,
         path = file.toStdString()](const std::stop_token&) mutable -> Result<SessionRead> {
            if (auto added = addFiles(session, *shown, other.get()); !added)
                return make_unexpected(added.error());
            if (auto written = writeSession(session, path); !written)
                return make_unexpected(written.error());
            return SessionRead{std::move(session), {}};
        },
        [this, file](const Result<SessionRead>& written) {
            if (!written)
                showProblem(QString::fromStdString(written.error().toLine()));
            else
                statusBar()->showMessage(tr("%1 was written").arg(file), 5'000);
            Q_EMIT sessionWritten();
        });
}

/// Reads a session and looks whether its files are as they were, which takes reading them.
void MainWindow::openSession(const QString& path) {
    statusBar()->showMessage(tr("Looking whether the session's files are as they were…"));
    m_sessionReads.start(
        [path = path.toStdString()](const std::stop_token&) -> Result<SessionRead> {
            auto session = readSession(path);
            if (!session)
                return make_unexpected(session.error());
            std::vector<SessionProblem> problems = problemsOf(*session);
            return SessionRead{std::move(*session), std::move(problems)};
        },
        [this](Result<SessionRead> read) {
            statusBar()->clearMessage();
            if (!read) {
                showProblem(QString::fromStdString(read.error().toLine()));
                Q_EMIT settled();
                return;
            }
            if (settleProblems(*read))
                showSession(read->session);
            else
                Q_EMIT settled();
        });
}

/// Asks for files that are missing or have changed; false where the user gave up.
bool MainWindow::settleProblems(SessionRead& read) {
    for (const SessionProblem& problem : read.problems) {
        const QString name = QString::fromStdString(problem.path);
        QString replacement = name;
        if (problem.missing) {
            QMessageBox::information(
                this, tr("Session"),
                tr("%1 is not where it was when the session was saved. Please show where it is.").arg(name));
            replacement =
                QFileDialog::getOpenFileName(this, tr("Where is %1?").arg(QFileInfo(name).fileName()));
        } else if (QMessageBox::question(
                       this, tr("Session"),
                       tr("%1 has changed since the session was saved. Open it all the same?")
                           .arg(QFileInfo(name).fileName())) != QMessageBox::Yes)
            replacement.clear();
        if (replacement.isEmpty()) {
            showProblem(tr("The session was not opened: %1 %2.")
                            .arg(name, problem.missing ? tr("is missing") : tr("has changed")));
            return false;
        }
        for (auto* files : {&read.session.files, &read.session.comparison})
            for (SessionFile& file : *files)
                if (file.path == problem.path)
                    file.path = sessionPath(replacement.toStdString());
    }
    return true;
}

/// Opens the session's files and shows them as they were saved, once they are analysed.
void MainWindow::showSession(const Session& session) {
    QStringList files;
    for (const SessionFile& file : session.files)
        files << QString::fromStdString(file.path);
    QStringList other;
    for (const SessionFile& file : session.comparison)
        other << QString::fromStdString(file.path);
    auto connection = std::make_shared<QMetaObject::Connection>();
    *connection = connect(this, &MainWindow::analysed, this, [this, session, connection] {
        disconnect(*connection);
        if (!isOf(session, m_state))
            return;
        m_timeline->view().setArrangement(arrangementOf(session.view));
        restoreState(QByteArray::fromBase64(QByteArray::fromStdString(session.view.panels)));
        QStringList fronts;
        for (const std::string& front : session.view.frontPanels)
            fronts << QString::fromStdString(front);
        m_docks->raise(fronts);
        applySession(session, m_state);
        if (!session.view.search.empty())
            m_search->setPattern(QString::fromStdString(session.view.search), false);
        if (!session.categories.empty() &&
            m_docks->rules().file() != QString::fromStdString(session.categories))
            showProblem(
                tr("This session was saved with the category rules of %1; those in force here are of %2.")
                    .arg(QString::fromStdString(session.categories), m_docks->rules().file()));
    });
    m_loads->open(files);
    if (!other.isEmpty())
        m_docks->comparison().compareWith(other);
}

} // namespace lockstep
