# Writes SOURCE, C++ with the text of each FOLDER/NAME.json, for schemaOf().
file(GLOB files ${FOLDER}/*.json)
set(entries "")
foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} text)
    string(APPEND entries "    if (command == \"${name}\")\n        return R\"schema(${text})schema\";\n")
endforeach()
file(WRITE ${SOURCE} "#include \"app/cli_schemas.h\"

std::string_view warpline::cli::schemaOf(std::string_view command)
{
${entries}    return {};
}
")
