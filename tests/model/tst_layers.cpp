#include "tests/support/layers.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Layers, HoldInTheWholeProject) {
    namespace fs = std::filesystem;
    const fs::path root = LOCKSTEP_SOURCE_DIR;
    std::size_t files = 0;
    for (const char* room : {"model", "views", "app"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp")
                continue;
            std::ifstream in(entry.path());
            const std::string text{std::istreambuf_iterator<char>(in), {}};
            EXPECT_THAT(layerViolations(fs::relative(entry.path(), root).generic_string(), text), IsEmpty());
            ++files;
        }
    }
    EXPECT_GT(files, 20u);
}

TEST(Layers, AModelFileMayNotKnowQt) {
    EXPECT_THAT(layerViolations("model/core/ids.h", "#include <QString>\n"), SizeIs(1));
    EXPECT_THAT(layerViolations("model/core/ids.h", "#include <QtCore/QString>\n"), SizeIs(1));
    EXPECT_THAT(layerViolations("model/report/htmlreport.cpp", "  #  include <qcustomplot.h>\n"), SizeIs(1));
    EXPECT_THAT(layerViolations("app/cli/main.cpp", "#include <QCoreApplication>\n"), SizeIs(1));
    EXPECT_THAT(layerViolations("views/common/theme.h", "#include <QString>\n"), IsEmpty());
    EXPECT_THAT(layerViolations("app/main.cpp", "#include <QApplication>\n"), IsEmpty());
}

TEST(Layers, AModelFileMayNotKnowViewsOrApp) {
    EXPECT_THAT(layerViolations("model/layout/lanepyramid.h", "#include \"views/common/theme.h\"\n"),
                SizeIs(1));
    EXPECT_THAT(layerViolations("model/run/run.h", "#include \"app/job.h\"\n"), SizeIs(1));
    EXPECT_THAT(layerViolations("app/cli/info.cpp", "#include \"views/common/format.h\"\n"), SizeIs(1));
    EXPECT_THAT(layerViolations("views/panels/runpanel.h", "#include \"app/job.h\"\n"), SizeIs(1));
}

TEST(Layers, TheModelsRoomsKnowOnlyThoseBelow) {
    EXPECT_THAT(layerViolations("model/core/ids.h", "#include \"model/trace/rank.h\"\n"), SizeIs(1));
    EXPECT_THAT(layerViolations("model/trace/rank.h", "#include \"model/run/run.h\"\n"), SizeIs(1));
    EXPECT_THAT(layerViolations("model/import/tracereader.h", "#include \"model/run/run.h\"\n"), SizeIs(1));
    EXPECT_THAT(layerViolations("model/layout/visiblespans.h", "#include \"model/analysis/stalls.h\"\n"),
                SizeIs(1));
    EXPECT_THAT(layerViolations("model/run/steps.cpp", "#include \"model/analysis/stalls.h\"\n"), SizeIs(1));
    EXPECT_THAT(layerViolations("model/analysis/stalls.h", "#include \"model/report/tables.h\"\n"),
                SizeIs(1));
    EXPECT_THAT(layerViolations("model/analysis/stalls.h", "#include \"model/run/run.h\"\n"), IsEmpty());
    EXPECT_THAT(layerViolations("model/report/tables.h", "#include \"model/analysis/stalls.h\"\n"),
                IsEmpty());
    EXPECT_THAT(layerViolations("model/trace/rank.h", "#include \"model/core/ids.h\"\n"), IsEmpty());
}

TEST(Layers, OnlyTheRunLoaderMayImport) {
    EXPECT_THAT(layerViolations("model/run/runloader.cpp", "#include \"model/import/tracereader.h\"\n"),
                IsEmpty());
    EXPECT_THAT(layerViolations("model/run/runloader.h", "#include \"model/import/loadprogress.h\"\n"),
                IsEmpty());
    EXPECT_THAT(layerViolations("model/run/steps.cpp", "#include \"model/import/tracereader.h\"\n"),
                SizeIs(1));
    EXPECT_THAT(layerViolations("model/run/run.h", "#include \"model/import/tracereader.h\"\n"), SizeIs(1));
}

TEST(Layers, TheViewsRoomsKnowOnlyWhatIsCommon) {
    EXPECT_THAT(layerViolations("views/timeline/timelineview.h", "#include \"views/panels/details.h\"\n"),
                SizeIs(1));
    EXPECT_THAT(layerViolations("views/charts/stepstrip.h", "#include \"views/tables/kerneltable.h\"\n"),
                SizeIs(1));
    EXPECT_THAT(layerViolations("views/common/viewstate.h", "#include \"views/timeline/timescale.h\"\n"),
                SizeIs(1));
    EXPECT_THAT(layerViolations("views/timeline/timelineview.h", "#include \"views/common/viewstate.h\"\n"),
                IsEmpty());
    EXPECT_THAT(layerViolations("views/timeline/timelineview.h", "#include \"model/analysis/stalls.h\"\n"),
                IsEmpty());
}

TEST(Layers, AnUnknownRoomIsNotedUntilItsPlaceIsSaid) {
    EXPECT_THAT(layerViolations("model/attic/old.h", "#include \"model/core/ids.h\"\n"), SizeIs(1));
}

TEST(Layers, AViolationNamesItsFileLineAndInclude) {
    const std::string text = "#pragma once\n\n#include <vector>\n#include <QString>\n";
    EXPECT_THAT(layerViolations("model/core/ids.h", text),
                ElementsAre("model/core/ids.h:4: may not include QString"));
}

TEST(Layers, TextThatIsNoIncludeDoesNotCount) {
    EXPECT_THAT(layerViolations("model/core/ids.h", "// #include <QString>\n/// as QString does\n"),
                IsEmpty());
    EXPECT_THAT(layerViolations("model/core/ids.h", "#include <queue>\n#include <optional>\n"), IsEmpty());
}

} // namespace
} // namespace lockstep::test
