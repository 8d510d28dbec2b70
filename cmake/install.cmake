# What a wheel, or `cmake --install`, offers to other C++ projects: our headers, the part of Eigen
# that they can include, and a package that find_package(regiht) understands. The layout is
# <prefix>/regiht/{include,cmake}, so a prefix that holds Python packages works as it is.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_MESSAGE LAZY)

install(DIRECTORY cpp/include/regiht DESTINATION regiht/include FILES_MATCHING PATTERN "*.hpp")

get_target_property(eigen_include Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
set(eigen_modules
  Cholesky Core Eigenvalues Geometry Householder Jacobi LU QR SVD SparseCore)
foreach(module IN LISTS eigen_modules ITEMS Dense)
  install(FILES "${eigen_include}/Eigen/${module}" DESTINATION regiht/include/Eigen)
endforeach()
foreach(folder IN LISTS eigen_modules ITEMS misc plugins)
  install(DIRECTORY "${eigen_include}/Eigen/src/${folder}" DESTINATION regiht/include/Eigen/src
    FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
endforeach()
install(DIRECTORY licenses/eigen/ DESTINATION regiht/include/Eigen)

install(TARGETS regiht EXPORT regihtTargets)
install(EXPORT regihtTargets NAMESPACE regiht:: DESTINATION regiht/cmake)
configure_package_config_file(cmake/regihtConfig.cmake.in regihtConfig.cmake
  INSTALL_DESTINATION regiht/cmake NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(regihtConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
  "${CMAKE_CURRENT_BINARY_DIR}/regihtConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/regihtConfigVersion.cmake"
  DESTINATION regiht/cmake)
