# SPDX-License-Identifier: MIT
# The port for vcpkg. A release gets its archive by vcpkg_from_git.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
vcpkg_find_acquire_program(FLEX)
vcpkg_find_acquire_program(BISON)
vcpkg_configure_meson(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -Dgeometry=enabled -Dcdd=enabled -Dreplay=enabled -Dmujoco=disabled -Dcvode=disabled -Dlammps=disabled -Dode=disabled
            -Dbullet=disabled -Ddart=disabled -Dexport=disabled -Dpages=disabled -Dpython=disabled -Dtests=disabled -Dbench=false)
vcpkg_install_meson()
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
