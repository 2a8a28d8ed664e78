#include "model/report/tables.h"

#include <gtest/gtest.h>

using namespace lockstep;

namespace {

ReportTable tableOf(std::vector<std::vector<std::string>> rows) {
    ReportTable table;
    table.title = "Title";
    table.columns = {{"kernel", false}, {"ms", true}};
    table.rows = std::move(rows);
    return table;
}

TEST(ReportTable, CsvQuotesEveryCellAndDoublesQuotes) {
    EXPECT_EQ(toCsv(tableOf({{"a<b, \"c\">", "1.5"}})),
              "\"kernel\",\"ms\"\r\n\"a<b, \"\"c\"\">\",\"1.5\"\r\n");
}

TEST(ReportTable, NoCsvCellBeginsAFormula) {
    const std::string csv = toCsv(tableOf({{"=1+1", "-0.5"}, {"@sum", "+1e3"}, {"-x", "\tx"}}));
    EXPECT_NE(csv.find("\"'=1+1\",\"-0.5\""), std::string::npos) << csv;
    EXPECT_NE(csv.find("\"'@sum\",\"+1e3\""), std::string::npos) << csv;
    EXPECT_NE(csv.find("\"'-x\",\"'\tx\""), std::string::npos) << csv;
}

TEST(ReportTable, MarkdownEscapesMarkup) {
    const std::string text = toMarkdown(tableOf({{"f<int>|*g*_h_&`", "1"}}));
    EXPECT_NE(text.find("f&lt;int&gt;\\|\\*g\\*\\_h\\_&amp;\\`"), std::string::npos) << text;
    EXPECT_NE(text.find("|---|---:|"), std::string::npos) << text;
    EXPECT_TRUE(text.starts_with("### Title\n")) << text;
}

TEST(ReportTable, PlainTextAlignsNumbersRightAndCutsLongNames) {
    EXPECT_EQ(toPlainText(tableOf({{"abcdefgh", "1"}, {"x", "22.5"}}), 6),
              "Title\nkernel    ms\nabcde…     1\nx       22.5\n");
}

TEST(ReportTable, WidthIsCountedInCharacters) {
    EXPECT_EQ(toPlainText(tableOf({{"µµ", "1"}})), "Title\nkernel  ms\nµµ       1\n");
}

TEST(ReportTable, TimesAreWrittenInTheUnitOfTheHeading) {
    EXPECT_EQ(asMs(1'234'567), "1.235");
    EXPECT_EQ(asUs(1'234.5), "1.2");
}

} // namespace
