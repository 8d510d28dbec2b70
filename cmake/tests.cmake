# All of cpp/tests in one program; each source file is one test for ctest.
find_path(DOCTEST_INCLUDE_DIR doctest/doctest.h)
if(NOT DOCTEST_INCLUDE_DIR)
  message(FATAL_ERROR "The C++ tests need doctest and it was not found. Install it: "
    "`apt install doctest-dev` on Debian or Ubuntu, `dnf install doctest-devel` on Fedora, "
    "`brew install doctest` on macOS.")
endif()

file(GLOB_RECURSE test_files CONFIGURE_DEPENDS cpp/tests/*.cpp)
file(GLOB c_interface CONFIGURE_DEPENDS cpp/library/c_*.cpp)
set(harnesses cpp/fuzz/require.cpp cpp/fuzz/libsvm.cpp cpp/fuzz/c_interface.cpp)
add_executable(regiht_tests
  ${test_files} ${compiled_core} cpp/library/errors.cpp ${c_interface} ${harnesses})
target_compile_definitions(regiht_tests PRIVATE REGIHT_VERSION="${PROJECT_VERSION}")
# doctest itself is compiled where it is included first.
set_source_files_properties(cpp/tests/main.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_include_directories(regiht_tests SYSTEM PRIVATE "${DOCTEST_INCLUDE_DIR}")
target_include_directories(regiht_tests PRIVATE cpp cpp/tests)
target_link_libraries(regiht_tests PRIVATE regiht::regiht regiht_flags)

enable_testing()
foreach(test_file IN LISTS test_files)
  cmake_path(RELATIVE_PATH test_file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/cpp/tests" OUTPUT_VARIABLE name)
  if(NOT name STREQUAL "main.cpp")
    add_test(NAME ${name} COMMAND regiht_tests --source-file=*/cpp/tests/${name})
  endif()
endforeach()
