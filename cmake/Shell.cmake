# Generates the manual page and the shell completions with the command.
set(ONNXC_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Where zsh looks for completions")

# onnxc_generate(FILE DESTINATION ARGUMENT...): writes FILE with the output of the command for these
# arguments, and installs it in DESTINATION.
function(onnxc_generate file destination)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/generated/shell/${file})
  get_filename_component(folder ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${output} COMMAND onnxc_cli ${ARGN} > ${output} DEPENDS onnxc_cli VERBATIM
    COMMENT "Generating ${file}")
  set_property(GLOBAL APPEND PROPERTY onnxc_shell_files ${output})
  if(ONNXC_INSTALL)
    install(FILES ${output} DESTINATION ${destination} COMPONENT command)
  endif()
endfunction()

if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "No manual page and no completions: they are made by the command, which does not run here")
  return()
endif()
onnxc_generate(onnxc.1 ${CMAKE_INSTALL_MANDIR}/man1 help --man)
onnxc_generate(bash/onnxc ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
onnxc_generate(zsh/_onnxc ${ONNXC_ZSH_COMPLETIONS} completion zsh)
onnxc_generate(fish/onnxc.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)
get_property(files GLOBAL PROPERTY onnxc_shell_files)
add_custom_target(onnxc_shell ALL DEPENDS ${files})
