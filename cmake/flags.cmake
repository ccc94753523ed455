# Warnings, sanitizers and link-time optimisation: one interface target that every room links.
add_library(tidegate_flags INTERFACE)
target_compile_options(tidegate_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wnull-dereference -Wimplicit-fallthrough -Werror -fno-strict-overflow)
# -iquote and not -I: core/sys must not stand in for the system's <sys/...> headers.
target_compile_options(tidegate_flags INTERFACE "-iquote${PROJECT_SOURCE_DIR}/core" "-iquote${PROJECT_SOURCE_DIR}")
target_compile_definitions(tidegate_flags INTERFACE TIDEGATE_VERSION="${PROJECT_VERSION}")

if(TIDEGATE_SANITIZE)
  target_compile_options(tidegate_flags INTERFACE -fsanitize=${TIDEGATE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(tidegate_flags INTERFACE -fsanitize=${TIDEGATE_SANITIZE})
endif()
if(TIDEGATE_FUZZ)
  target_compile_options(tidegate_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  target_link_options(tidegate_flags INTERFACE -fsanitize=address,undefined)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports false positives of these two in optimised standard library code.
  target_compile_options(tidegate_flags INTERFACE -Wno-null-dereference -Wno-restrict)
endif()
if(TIDEGATE_LTO)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()
