# What `cmake --install` copies: headers, libraries, tools and the package that
# find_package(Tile) reads.
include(CMakePackageConfigHelpers)

# Installs every library that was added so far, but for those of the tests.
function(tile_install_libraries)
  get_property(libraries GLOBAL PROPERTY TILE_LIBRARIES)
  set(tile_exported_libraries)
  foreach(library ${libraries})
    get_target_property(folder ${library} SOURCE_DIR)
    string(FIND "${folder}" "${PROJECT_SOURCE_DIR}/test" in_tests)
    if(NOT in_tests EQUAL 0)
      target_include_directories(${library} INTERFACE
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
      install(TARGETS ${library} EXPORT TileTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development)
      list(APPEND tile_exported_libraries Tile::${library})
    endif()
  endforeach()

  target_include_directories(TileCShared INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS TileCShared EXPORT TileTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development)

  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Tile)
  install(EXPORT TileTargets NAMESPACE Tile:: DESTINATION ${package}
    COMPONENT Development)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/lib/TileConfig.cmake.in
    ${PROJECT_BINARY_DIR}/TileConfig.cmake INSTALL_DESTINATION ${package}
    NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/TileConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/TileConfig.cmake
    ${PROJECT_BINARY_DIR}/TileConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/lib/StaticMLIR.cmake
    DESTINATION ${package} COMPONENT Development)
endfunction()

# Installs the public headers, those made from them, and the definitions, for
# dialects that build on ours.
function(tile_install_headers)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tile
    ${PROJECT_SOURCE_DIR}/include/tile-c
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Development
    FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
  install(DIRECTORY ${PROJECT_BINARY_DIR}/include/tile
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Development
    FILES_MATCHING PATTERN "*.h.inc" PATTERN "CMakeFiles" EXCLUDE)
endfunction()

# Installs those of the named tools that exist.
function(tile_install_tools)
  foreach(tool ${ARGN})
    if(TARGET ${tool})
      install(TARGETS ${tool} COMPONENT Tools)
    endif()
  endforeach()
endfunction()

tile_install_libraries()
tile_install_headers()
tile_install_tools(tile-opt tilec tile-run tile-gen tile-bench tile-fmt tile-lsp-server
  tile-reduce tile-tune)
