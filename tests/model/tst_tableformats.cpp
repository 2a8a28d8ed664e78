#include "model/report/tableformats.h"

#include "model/core/sha256.h"
#include "model/report/markup.h"
#include "model/report/svgcanvas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace lockstep;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::vector<std::string> kHostile{"=HYPERLINK(\"http://x\")",
                                        "+1+2",
                                        "-cmd|' /C calc'!A0",
                                        "@SUM(A1)",
                                        "two\nlines, and \"quotes\"",
                                        "<script>alert(1)</script>",
                                        "a & b % $ # _ { } ~ ^ \\",
                                        "bad \xFF\xC3 bytes \x01",
                                        "\t=1"};

ReportTable hostileTable() {
    ReportTable table;
    table.title = "Kernels <b>";
    table.columns = {{"kernel", false}, {"ms", true}};
    for (const std::string& name : kHostile)
        table.rows.push_back({name, "-1.5"});
    table.notes = {"=note <i>"};
    return table;
}

/// Reads CSV back by its own rules (RFC 4180).
std::vector<std::vector<std::string>> readCsv(const std::string& csv) {
    std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
    bool quoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        std::string& cell = rows.back().back();
        if (quoted && csv[i] == '"' && i + 1 < csv.size() && csv[i + 1] == '"') {
            cell += '"';
            ++i;
        } else if (csv[i] == '"') {
            quoted = !quoted;
        } else if (!quoted && csv[i] == ',') {
            rows.back().emplace_back();
        } else if (!quoted && csv[i] == '\n') {
            rows.emplace_back(1);
        } else if (quoted || csv[i] != '\r') {
            cell += csv[i];
        }
    }
    return rows;
}

} // namespace

TEST(TableFormats, CsvReadsBackAndHoldsNoFormula) {
    const auto rows = readCsv(*tableAs(hostileTable(), "csv"));
    ASSERT_GT(rows.size(), kHostile.size());
    for (std::size_t i = 0; i < kHostile.size(); ++i) {
        std::string cell = rows[i + 1][0];
        EXPECT_EQ(std::string("=+-@\t\r").find(cell.front()), std::string::npos) << cell;
        if (cell.front() == '\'')
            cell.erase(0, 1);
        EXPECT_EQ(cell, validText(kHostile[i]));
        EXPECT_EQ(rows[i + 1][1], "-1.5");
    }
}

TEST(TableFormats, JsonHoldsNumbersAndTheNamesAsTheyAre) {
    const auto json = nlohmann::json::parse(*tableAs(hostileTable(), "json"));
    EXPECT_EQ(json["rows"][5][0], "<script>alert(1)</script>");
    EXPECT_EQ(json["rows"][0][1], -1.5);
    EXPECT_EQ(json["columns"][1], "ms");
}

TEST(TableFormats, MarkupIsText) {
    const std::string html = toHtml(hostileTable());
    EXPECT_THAT(html, HasSubstr("&lt;script&gt;"));
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    const std::string markdown = *tableAs(hostileTable(), "md");
    EXPECT_THAT(markdown, Not(HasSubstr("<script")));
    EXPECT_EQ(escapedMarkup("a\xFF<\"'&\x02\xED\xA0\x80"),
              "a\xEF\xBF\xBD&lt;&quot;&#39;&amp;\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(TableFormats, LatexEscapesWhatItWouldRead) {
    const std::string latex = *tableAs(hostileTable(), "tex");
    EXPECT_THAT(latex, HasSubstr("a \\& b \\% \\$ \\# \\_ \\{ \\} \\textasciitilde{} \\textasciicircum{} "
                                 "\\textbackslash{} & -1.5"));
    EXPECT_THAT(latex, HasSubstr("two lines"));
}

TEST(TableFormats, KnowsNoOtherEnding) {
    EXPECT_FALSE(tableAs(hostileTable(), "exe").has_value());
}

TEST(SvgCanvas, EscapesTextAndEndsItsFile) {
    SvgCanvas canvas(100, 50, "a <b>");
    canvas.text(1, 2, "<script>\x01");
    canvas.hatchedRect(0, 0, 20, 10, "#D55E00");
    const std::string svg = std::move(canvas).finish();
    EXPECT_THAT(svg, HasSubstr("&lt;script&gt;\xEF\xBF\xBD</text>"));
    EXPECT_THAT(svg, Not(HasSubstr("<script")));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_EQ(textColourOn("#F0E442"), "#000000");
    EXPECT_EQ(textColourOn("#0072B2"), "#FFFFFF");
}

TEST(Sha256, AgreesWithItsStandard) {
    EXPECT_EQ(sha256Of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256Of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256Of(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
