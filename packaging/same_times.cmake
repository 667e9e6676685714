# Run by CPack before packing: gives all installed files the commit's time. Otherwise only newer files of an RPM get it, and a
# source keeps its checkout's time.
if(DEFINED ENV{SOURCE_DATE_EPOCH} AND NOT CMAKE_HOST_WIN32)
    execute_process(COMMAND find ${CPACK_TEMPORARY_INSTALL_DIRECTORY} -exec
        touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} {} + COMMAND_ERROR_IS_FATAL ANY)
endif()
