# What a wheel, or `cmake --install`, offers to other projects: our headers, the compiled library if
# it was built, a package that find_package(regiht) understands and one for pkg-config.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_MESSAGE LAZY)

# A wheel keeps everything below the Python package, so a prefix that holds Python packages works as
# it is, and brings the part of Eigen that the headers can include.
if(SKBUILD)
  set(in_a_wheel ON)
endif()
option(REGIHT_BUNDLE_EIGEN "Install the headers of Eigen with ours" ${in_a_wheel})
if(in_a_wheel)
  set(include_folder regiht/include)
  set(package_folder regiht/cmake)
  set(eigen_folder ${include_folder})
else()
  include(GNUInstallDirs)
  set(include_folder ${CMAKE_INSTALL_INCLUDEDIR})
  set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/regiht)
  set(eigen_folder ${include_folder}/regiht/bundled)
endif()

install(DIRECTORY cpp/include/regiht DESTINATION ${include_folder} FILES_MATCHING PATTERN "*.hpp")
install(FILES cpp/include/regiht.h DESTINATION ${include_folder})
target_include_directories(regiht INTERFACE $<INSTALL_INTERFACE:${include_folder}>)

if(REGIHT_BUNDLE_EIGEN)
  get_target_property(eigen_include Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  set(eigen_modules
    Cholesky Core Eigenvalues Geometry Householder Jacobi LU QR SVD SparseCore)
  foreach(module IN LISTS eigen_modules ITEMS Dense)
    install(FILES "${eigen_include}/Eigen/${module}" DESTINATION ${eigen_folder}/Eigen)
  endforeach()
  foreach(folder IN LISTS eigen_modules ITEMS misc plugins)
    install(DIRECTORY "${eigen_include}/Eigen/src/${folder}" DESTINATION ${eigen_folder}/Eigen/src
      FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
  endforeach()
  install(DIRECTORY licenses/eigen/ DESTINATION ${eigen_folder}/Eigen)
  target_include_directories(regiht SYSTEM INTERFACE $<INSTALL_INTERFACE:${eigen_folder}>)
else()
  target_link_libraries(regiht INTERFACE $<INSTALL_INTERFACE:Eigen3::Eigen>)
  set(needs_eigen ON)
endif()

install(TARGETS regiht EXPORT regihtTargets)
if(REGIHT_BUILD_LIBRARY)
  target_include_directories(regiht_core PUBLIC $<INSTALL_INTERFACE:${include_folder}>)
  install(TARGETS regiht_core EXPORT regihtCoreTargets)
  install(EXPORT regihtCoreTargets NAMESPACE regiht:: DESTINATION ${package_folder})
endif()
install(EXPORT regihtTargets NAMESPACE regiht:: DESTINATION ${package_folder})
configure_package_config_file(cmake/regihtConfig.cmake.in regihtConfig.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(regihtConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
  "${CMAKE_CURRENT_BINARY_DIR}/regihtConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/regihtConfigVersion.cmake"
  DESTINATION ${package_folder})

if(NOT in_a_wheel)
  if(REGIHT_BUILD_LIBRARY)
    set(pc_libs "-L\${libdir} -lregiht")
    set(pc_private_libs "-lstdc++ -pthread")
  elseif(NOT REGIHT_BUNDLE_EIGEN)
    set(pc_requires "eigen3 >= 3.4")
  endif()
  if(REGIHT_BUNDLE_EIGEN)
    set(pc_eigen "-I\${includedir}/regiht/bundled")
  endif()
  # From the file itself, as `cmake --install --prefix` may name another place than the one configured.
  file(RELATIVE_PATH pc_to_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
  configure_file(cmake/regiht.pc.in regiht.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/regiht.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
