# Third-party libraries; the reasons are in docs/dependencies.md.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(libevent REQUIRED IMPORTED_TARGET libevent_core)
pkg_check_modules(libcrypto REQUIRED IMPORTED_TARGET libcrypto)
pkg_check_modules(libcrypt REQUIRED IMPORTED_TARGET libcrypt)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  pkg_check_modules(liburing REQUIRED IMPORTED_TARGET liburing)
endif()
