# Writes OUTPUT, a C++ file that holds the JSON files below ROOT as text. Literals are split: compilers limit their length.
file(GLOB_RECURSE FILES RELATIVE ${ROOT} ${ROOT}/*.json)
list(SORT FILES)
set(ENTRIES "")
foreach(FILE ${FILES})
    file(READ ${ROOT}/${FILE} HEX HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," BYTES "${HEX}")
    string(MAKE_C_IDENTIFIER "k_${FILE}" NAME)
    string(APPEND ARRAYS "constexpr unsigned char ${NAME}[] = {${BYTES}0x00};\n")
    string(APPEND ENTRIES "    {\"${FILE}\", {reinterpret_cast<const char*>(${NAME}), sizeof(${NAME}) - 1}},\n")
endforeach()
file(WRITE ${OUTPUT}.new "// Generated from resources/ at build time.
#include \"model/core/resource.h\"

#include <utility>

namespace {
${ARRAYS}
const std::pair<std::string_view, std::string_view> kResources[] = {
    {\"\", \"\"},
${ENTRIES}};
} // namespace

namespace lockstep {

std::string_view builtinResource(std::string_view path) {
    for (const auto& [name, text] : kResources)
        if (name == path)
            return text;
    return {};
}

std::vector<std::string_view> builtinResources(std::string_view prefix) {
    std::vector<std::string_view> found;
    for (const auto& [name, text] : kResources)
        if (!name.empty() && name.starts_with(prefix))
            found.push_back(name);
    return found;
}

} // namespace lockstep
")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
