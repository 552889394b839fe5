#!/usr/bin/env bash
# folders_test.sh SOURCES OBJECTS: checks that each folder of src/ uses only itself and the folders that
# SOURCES/folders.txt lists before it. Reads the includes, and the symbols that the object files define and use. So no
# cycle of folders is possible. OBJECTS is a file with the path of an object file on each line; precompiled headers are
# ignored.
set -euo pipefail

sources=$(cd "$1" && pwd)
objects=$2
[ -s "$objects" ] || { echo "FAILED: $objects names no object file"; exit 1; }

# Lines for awk: `order FOLDER`, `include FILE LINE HEADER`, `define OBJECT SYMBOL`, `use OBJECT SYMBOL`.
facts() {
  grep -v '^#' "$sources/folders.txt" | sed 's/^/order /'
  (cd "$sources" && grep -rnE --include='*.h' --include='*.cc' '^#include "' . |
    sed -E 's|^\./([^:]*):([0-9]+):#include "([^"]*)".*|include \1 \2 \3|')
  # Symbols of the types T, D, B and R are defined in only one object; W and V are inline symbols, which come
  # from an include.
  grep '\.o$' "$objects" | tr '\n' '\0' | xargs -0 nm --extern-only --no-sort --print-file-name |
    sed -nE 's|^(.*):[0-9a-f]+ [TDBRG] (.*)$|define \1 \2|p; s|^(.*): +U (.*)$|use \1 \2|p'
}

facts | awk -v sources="$sources" '
  function fail(message) { print "FAILED: " message; failed = 1 }

  # The folder of a path below src/: the longest folder in the table that contains the path.
  function folder_of(path) {
    while (sub("/[^/]*$", "", path)) if (path in rank) return path
    return ""
  }
  # The path of an object file is .../src/FOLDER/FILE.cc.o, or .../Unity/unity_FOLDER-GROUP_cxx.cxx.o with
  # dots in FOLDER (cmake/Units.cmake). Object files of generated sources belong to the parser.
  function folder_of_object(path) {
    if (match(path, /\/Unity\/unity_[a-z.]+-/)) {
      path = substr(path, RSTART + 13, RLENGTH - 14)
      gsub(/\./, "/", path)
      return path in rank ? path : ""
    }
    return match(path, /\/src\//) ? folder_of(substr(path, RSTART + 5)) : "syntax"
  }
  function short(path) { sub(/.*\.dir\/(src\/)?/, "", path); return path }
  function above(folder) { return "; src/folders.txt lists \047" folder "\047 after it" }

  function known(object) {
    if (!(object in seen) && folder_of_object(object) == "") fail(short(object) ": its folder is not in src/folders.txt")
    seen[object]
  }

  $1 == "order" { rank[$2] = ++folders }
  $1 == "include" {
    own = folder_of($2); other = folder_of($4)
    if (own == "") { fail($2 ": its folder is not in src/folders.txt"); next }
    if (other != "" && rank[other] > rank[own])
      fail("src/" $2 ":" $3 ": \047" own "\047 includes " $4 " of \047" other "\047" above(other))
  }
  $1 == "define" { home[$3] = $2; ++defined; known($2) }
  $1 == "use" { user[++uses] = $2; used[uses] = $3 }
  END {
    if (folders < 2 || defined == 0 || uses == 0) fail("no folders, or no symbols: is the list of objects right?")
    for (i = 1; i <= uses; ++i) {
      symbol = used[i]
      if (!(symbol in home)) continue
      own = folder_of_object(user[i]); other = folder_of_object(home[symbol])
      if (own == "" || other == "") continue
      if (rank[other] > rank[own])
        fail("\047" own "\047 uses \047" other "\047: " short(user[i]) " uses " symbol " of " short(home[symbol]) above(other))
    }
    if (!failed) print folders " folders, " defined " symbols: each folder uses only those before it"
    exit failed
  }' | c++filt
