# Run by CPack before it packs what was installed into its folder: gives all of that the commit's time. Of an RPM's files only
# those that are younger get it otherwise, and a source keeps the time at which it was checked out.
if(DEFINED ENV{SOURCE_DATE_EPOCH} AND NOT CMAKE_HOST_WIN32)
    execute_process(COMMAND find ${CPACK_TEMPORARY_INSTALL_DIRECTORY} -exec
        touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} {} + COMMAND_ERROR_IS_FATAL ANY)
endif()
