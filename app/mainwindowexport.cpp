#include "app/comparisonpanel.h"
#include "app/docks.h"
#include "app/exportdialog.h"
#include "app/mainwindow.h"
#include "app/viewsession.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace lockstep {

/// Shows what can be exported of the open run; says so where it is not analysed yet.
void MainWindow::exportViews() {
    const auto& analysis = m_state.shown()->analysis;
    if (!analysis) {
        showProblem(tr("There is nothing to export until a run is open and analysed."));
        return;
    }
    auto subject = reportSubject(analysis, {});
    if (!subject) {
        showProblem(QString::fromStdString(subject.error().toLine()));
        return;
    }
    auto* dialog =
        new ExportDialog(lockstep::exportViews(std::make_shared<const ReportSubject>(std::move(*subject))),
                         QString::fromStdString(analysis->run->name), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
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
