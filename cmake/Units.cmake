# Unity builds: groups of a folder's files are compiled together, which takes a third of the time. Two files of a folder
# must then not declare the same name in an unnamed namespace. Builds for development compile each file alone.
option(ONNXC_UNITY "Compile the files of a folder together, in groups: a whole build takes a third of the time" ON)

# onnxc_group(FOLDER SOURCES...): divides the files of one folder into groups that are compiled together.
function(onnxc_group folder)
  set(most 8)  # larger groups need more memory, and a small change then compiles more
  string(REPLACE "/" "." name ${folder})
  set(count 0)
  foreach(source IN LISTS ARGN)
    math(EXPR group "${count} / ${most}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}-${group})
    math(EXPR count "${count} + 1")
  endforeach()
endfunction()

# onnxc_unite(TARGET): compiles the groups of the target's files. With CMake 4.0 or newer, the paths in the files that CMake
# generates for the groups are relative, so that a compiler cache shares the objects of builds in several folders.
function(onnxc_unite target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ONNXC_UNITY} UNITY_BUILD_MODE GROUP UNITY_BUILD_RELOCATABLE ON)
endfunction()
