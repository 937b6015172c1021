# Static linking against Debian's LLVM and MLIR archives.
#
# Debian exports every MLIR archive with a link dependency on libLLVM.so, which
# would put two copies of LLVM's state into one process.  tile_make_mlir_static
# redirects that dependency to the component archives named by its arguments
# and makes the target tile_llvm_static stand for them.
function(tile_make_mlir_static)
  get_property(archives GLOBAL PROPERTY MLIR_ALL_LIBS)
  llvm_map_components_to_libnames(components ${ARGN})
  if(NOT TARGET tile_llvm_static)
    add_library(tile_llvm_static INTERFACE)
    target_link_libraries(tile_llvm_static INTERFACE ${components})
  endif()
  foreach(archive ${archives})
    if(TARGET ${archive})
      get_target_property(type ${archive} TYPE)
      get_target_property(dependencies ${archive} INTERFACE_LINK_LIBRARIES)
      if(type STREQUAL "STATIC_LIBRARY" AND dependencies)
        list(REMOVE_ITEM dependencies LLVM MLIR
             "\$<LINK_ONLY:LLVM>" "\$<LINK_ONLY:MLIR>")
        list(APPEND dependencies tile_llvm_static)
        set_target_properties(${archive} PROPERTIES
          INTERFACE_LINK_LIBRARIES "${dependencies}")
      endif()
    endif()
  endforeach()
  # LLVMSupport names the shared zstd and z3, which a self-contained tool
  # neither needs nor wants.
  find_library(TILE_LIBZ NAMES libz.a REQUIRED)
  find_library(TILE_LIBZSTD NAMES libzstd.a REQUIRED)
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES
    "rt;dl;m;LLVMDemangle;${TILE_LIBZ};${TILE_LIBZSTD}")
endfunction()

# Flags of every tool: small, position dependent, no shared C++ runtime, so that
# one file can be carried to a bare machine.
function(tile_tool_link_options target)
  target_link_options(${target} PRIVATE -fuse-ld=lld -Wl,--gc-sections
    -Wl,--as-needed -Wl,--icf=all -Wl,-O2 -no-pie
    -static-libstdc++ -static-libgcc)
endfunction()
