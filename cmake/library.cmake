# regiht::core: the solvers, compiled once, behind regiht.h and regiht/compiled/problem.hpp. Static
# or shared, as BUILD_SHARED_LIBS says.
file(GLOB c_interface CONFIGURE_DEPENDS cpp/library/c_*.cpp)
add_library(regiht_core ${compiled_core} cpp/library/errors.cpp ${c_interface})
add_library(regiht::core ALIAS regiht_core)
set_target_properties(regiht_core PROPERTIES
  EXPORT_NAME core
  OUTPUT_NAME regiht
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  POSITION_INDEPENDENT_CODE ON
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON)
target_compile_features(regiht_core PUBLIC cxx_std_17)
target_include_directories(regiht_core PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/cpp/include>)
target_compile_definitions(regiht_core PRIVATE REGIHT_VERSION="${PROJECT_VERSION}")
target_link_libraries(regiht_core
  PUBLIC Threads::Threads
  PRIVATE $<BUILD_INTERFACE:regiht::regiht> $<BUILD_INTERFACE:regiht_flags>)
if(NOT MSVC)
  # g++ before 13 leaves some kernels without vector registers at -O2.
  target_compile_options(regiht_core PRIVATE $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-O3>)
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  # The functions that choose a kernel for the machine are visible whatever the compiler is told.
  target_link_options(regiht_core PRIVATE
    "LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/cpp/library/exports.map")
endif()
