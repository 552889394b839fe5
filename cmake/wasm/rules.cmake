# CMake reads this after its own rules for each language. The module is one program without shared libraries, so it needs no
# position-independent code.
foreach(language C CXX)
  set(CMAKE_${language}_COMPILE_OPTIONS_PIC "")
  set(CMAKE_${language}_COMPILE_OPTIONS_PIE "")
  set(CMAKE_${language}_LINK_OPTIONS_PIE "")
  set(CMAKE_${language}_LINK_OPTIONS_NO_PIE "")
endforeach()
