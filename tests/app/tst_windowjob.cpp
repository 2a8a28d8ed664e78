#include "app/job.h"

#include "tests/support/qttest.h"

#include <QThread>
#include <atomic>

using namespace lockstep;

namespace {

class Owner : public QObject {
public:
    Job<int> job{*this};
};

void waitForStop(const std::stop_token& stop) {
    while (!stop.stop_requested())
        QThread::msleep(1);
}

} // namespace

class JobTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::failOnQtWarnings(); }

    void answersOnTheOwnersThread() {
        Owner owner;
        int answer = 0;
        QThread* thread = nullptr;
        QThread* worker = QThread::currentThread();
        owner.job.start(
            [&worker](const std::stop_token&) {
                worker = QThread::currentThread();
                return 42;
            },
            [&](int value) {
                answer = value;
                thread = QThread::currentThread();
            });
        QVERIFY(owner.job.running());
        QTRY_COMPARE(answer, 42);
        QCOMPARE(thread, QThread::currentThread());
        QVERIFY(worker != thread);
        QVERIFY(!owner.job.running());
    }

    void theNewestWins() {
        Owner owner;
        std::vector<int> answers;
        for (int i = 0; i < 20; ++i)
            owner.job.start(
                [i](const std::stop_token& stop) {
                    if (i < 19)
                        waitForStop(stop);
                    return i;
                },
                [&answers](int value) {
                    answers.push_back(value);
                });
        QTRY_COMPARE(answers.size(), std::size_t{1});
        QCOMPARE(answers.front(), 19);
        QTest::qWait(20);
        QCOMPARE(answers.size(), std::size_t{1});
    }

    void aCancelledJobGivesNoAnswer() {
        Owner owner;
        bool answered = false;
        std::atomic<bool> stopped{false};
        owner.job.start(
            [&stopped](const std::stop_token& stop) {
                waitForStop(stop);
                stopped = true;
                return 1;
            },
            [&answered](int) {
                answered = true;
            });
        owner.job.cancel();
        QTRY_VERIFY(stopped);
        QTest::qWait(20);
        QVERIFY(!answered);
        QVERIFY(!owner.job.running());
    }

    void anAnswerThatIsUnderWayIsDroppedByCancel() {
        Owner owner;
        bool answered = false;
        std::atomic<bool> done{false};
        owner.job.start(
            [&done](const std::stop_token&) {
                done = true;
                return 1;
            },
            [&answered](int) {
                answered = true;
            });
        while (!done)
            QThread::msleep(1);
        QThread::msleep(5); // the answer is in the event queue now
        owner.job.cancel();
        QTest::qWait(20);
        QVERIFY(!answered);
    }

    void goingAwayStopsAndWaits() {
        std::atomic<bool> ended{false};
        bool answered = false;
        {
            Owner owner;
            owner.job.start(
                [&ended](const std::stop_token& stop) {
                    waitForStop(stop);
                    ended = true;
                    return 1;
                },
                [&answered](int) {
                    answered = true;
                });
        }
        QVERIFY(ended);
        QTest::qWait(20);
        QVERIFY(!answered);
    }
};

LOCKSTEP_QTEST_MAIN(JobTest)
#include "tst_windowjob.moc"
