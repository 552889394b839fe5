# Functions that the scripts share: they install packages, build, find Python and measure time. Other scripts source
# this file.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${JOBS:-$(nproc)}

# Debian packages, by purpose. A build includes the tests, which use git and patch.
build_packages=(cmake ninja-build g++ ccache pkg-config antlr4 libantlr4-runtime-dev protobuf-compiler libprotobuf-dev
  libfmt-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libssl-dev libxxhash-dev libgtest-dev libgmock-dev git patch)
python_packages=(python3 python3-venv)
wheel_packages=(libpython3-dev "${python_packages[@]}")
shell_packages=(zsh fish)
# Of these packages, only headers are compiled; those of {fmt} contain its source code.
copied_packages=(libfmt-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libxxhash-dev)
deb_packages=(dpkg-dev file gzip man-db groff-base mandoc)
fuzz_packages=(clang libclang-rt-dev llvm)
editor_packages=(emacs-nox vim-nox bat libkf5syntaxhighlighting-tools)
browser_packages=(chromium fonts-dejavu-core fonts-liberation make)
ci_packages=(clang clang-format clang-tidy binutils valgrind libonnx-testdata "${fuzz_packages[@]}")
all_packages=("${build_packages[@]}" "${wheel_packages[@]}" "${shell_packages[@]}" "${deb_packages[@]}" "${editor_packages[@]}" "${ci_packages[@]}")

say() { printf '\n== %s\n' "$*"; }

# install PACKAGE...: installs the packages that are missing; prints nothing if none is missing.
install() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    echo "This is no Debian system: install what these packages hold, then run this again: ${missing[*]}" >&2
    return 1
  fi
  say "Installing with apt-get: ${missing[*]}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)  # another apt-get may be running
  if [ "$(id -u)" != 0 ]; then apt=(sudo "${apt[@]}"); fi
  # The package lists may be missing, or too old to contain a package.
  if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; then
    "${apt[@]}" update
    "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
  fi
}

# build PRESET [TARGET...]: configures if needed, and builds.
build() {
  local preset=$1 targets=()
  shift
  if [ $# -gt 0 ]; then targets=(--target "$@"); fi
  (cd "$root" && cmake --preset "$preset" --log-level=WARNING >/dev/null && cmake --build --preset "$preset" -j "$jobs" "${targets[@]}")
}

# python_with MODULE...: sets $python to an interpreter with these modules; missing modules are installed from
# PyPI into build/venv. Returns 1 if that is impossible; $why then contains the reason.
python_with() {
  local module venv=$root/build/venv
  python= why=
  command -v python3 >/dev/null || { why="there is no python3"; return 1; }
  if ! "$venv/bin/python" -c '' 2>/dev/null; then
    python3 -m venv --clear "$venv" >/dev/null 2>&1 || { why="python3 cannot make a virtual environment (python3-venv)"; return 1; }
  fi
  for module in "$@"; do
    "$venv/bin/python" -c "import $module" 2>/dev/null && continue
    say "Installing from PyPI into build/venv"
    pinned "$venv/bin/python" install "$root/scripts/requirements.txt" --only-binary :all: || { why="what scripts/requirements.txt lists could not be installed from PyPI"; return 1; }
  done
  python=$venv/bin/python
}

# pinned PYTHON COMMAND LIST [OPTION...]: pip's `install` or `download` of a list with the hashes of all packages. No script gets
# packages of PyPI by another command (tests/package/pins_test.sh).
pinned() { "$1" -m pip "$2" -q --disable-pip-version-check --require-hashes -r "$3" "${@:4}"; }

# install_wheel PYTHON WHEEL [OPTION...]: installs a wheel that was built here, and no other package.
install_wheel() { "$1" -m pip install -q --disable-pip-version-check --no-index --no-deps "${@:2}"; }

# venv_with FOLDER LIST...: makes a virtual environment with the packages of these lists, unless it exists. A list may contain
# source distributions, which are built with packages of the lists before it.
venv_with() {
  local folder=$1 list
  shift
  ! cmp -s <(cat "$@") "$folder/requirements.txt" || return 0
  say "Installing from PyPI into ${folder#"$root/"}"
  /usr/bin/python3 -m venv --clear "$folder"
  for list in "$@"; do pinned "$folder/bin/python" install "$list" --no-build-isolation; done
  cat "$@" >"$folder/requirements.txt"
}

# wheel_tools [LIST...]: sets $tools to a virtual environment with the packages of scripts/wheel_requirements.txt and of these
# lists, and adds it to PATH.
wheel_tools() {
  tools=$root/build/wheel-tools
  export PATH=$tools/bin:$PATH
  venv_with "$tools" "$root/scripts/wheel_requirements.txt" "$@"
}

# source_distribution NAME LIST FOLDER: unpacks the source distribution NAME-VERSION of this list into FOLDER. pip asks it for its
# metadata, so it needs the packages that build it.
source_distribution() {
  mkdir -p "$3"
  rm -f "$3"/*.tar.gz  # those of other versions
  (
    wheel_tools
    SKBUILD_CMAKE_VERSION='>=3.20' pinned "$tools/bin/python" download <(grep -E "^$1==" "$2") \
      --no-build-isolation --no-binary :all: --no-deps -d "$3"
  )
  tar -xzf "$3"/*.tar.gz -C "$3"
}

# zig_commands FOLDER [OPTION...]: writes the commands cc, c++, ar and ranlib of ziglang, a compiler of PyPI that contains libc++,
# into FOLDER, and sets $zig to its version. They run the ziglang of the virtual environment $tools; the compilers get these options.
zig_list=$root/scripts/zig_requirements.txt
zig_commands() {
  local folder=$1 name program
  shift
  zig=$(grep -oE '^ziglang==[0-9.]+' "$zig_list")
  mkdir -p "$folder"
  program=$(echo "$tools"/lib/python3*/site-packages/ziglang/zig)
  for name in ar ranlib; do printf '#!/bin/sh\nexec %s %s "$@"\n' "$program" $name >"$folder/$name"; done
  for name in cc c++; do
    cat >"$folder/$name" <<WRAPPER
#!/bin/bash
# zig requests a precompiled header itself, and rejects a second request, so CMake's -Xclang -emit-pch is
# removed.
arguments=("\$@")
for i in "\${!arguments[@]}"; do
  if [ "\${arguments[i]}" = -emit-pch ]; then unset "arguments[i]" "arguments[i-1]"; fi
done
exec $program $name $* "\${arguments[@]}"
WRAPPER
  done
  chmod +x "$folder"/*
}

# antlr_tool VERSION SHA256: gets this version of ANTLR's tool from Maven Central, and sets $jar to it.
antlr_tool() {
  jar=$root/build/antlr/antlr-$1-complete.jar
  install curl ca-certificates
  ! sha256sum --check --status <<<"$2  $jar" 2>/dev/null || return 0
  say "ANTLR's tool $1 from Maven Central"
  mkdir -p "${jar%/*}"
  curl -sSfL -o "$jar" "https://repo1.maven.org/maven2/org/antlr/antlr4/$1/antlr4-$1-complete.jar"
  sha256sum --check <<<"$2  $jar"
}

# generated_parsers SOURCES BUILD FOLDER: generates the parser from the grammar in SOURCES: in FOLDER with Debian's
# tool, for the runtimes 4.7 to 4.9, and in FOLDER/new with the oldest tool for the runtimes 4.10 to 4.13.
# BUILD holds the two builds that do so.
generated_parsers() {
  local options=(-G Ninja -DONNXC_TESTS=OFF -DONNXC_PARSER_SOURCES= --log-level=WARNING) name
  antlr_tool 4.10.1 41949d41f20d31d5b8277187735dd755108df52b38db6c865108d3382040f918
  cmake -S "$1" -B "$2/old" "${options[@]}" >/dev/null
  cmake -S "$1" -B "$2/new" "${options[@]}" -DONNXC_ANTLR_JAR="$jar" -DAntlrRuntime_VERSION=4.10.1 >/dev/null  # no runtime is used
  mkdir -p "$3/new"
  for name in old new; do cmake --build "$2/$name" --target onnxc_generated_parser >/dev/null; done
  cp "$2"/old/generated/syntax/OnnxText*.{cpp,h} "$3"
  cp "$2"/new/generated/syntax/OnnxText*.{cpp,h} "$3/new"
}

# project_version: prints the version that CMakeLists.txt gives to the project.
project_version() { sed -nE 's/^project\(onnxc VERSION ([0-9.]+).*/\1/p' "$root/CMakeLists.txt"; }

# npm_packages FOLDER [OPTION...]: installs the packages of FOLDER/package-lock.json in FOLDER/node_modules, unless they are there.
npm_packages() {
  [ ! "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] || return 0
  say "Installing from npm into $1/node_modules"
  (cd "$1" && npm ci "${@:2}" --ignore-scripts --no-audit --no-fund --loglevel=error && touch node_modules/.package-lock.json)
}

# package_sources PACKAGE...: writes the parts of a source distribution that are not source files into
# build/python: the generated parsers, and the licences of the libraries that are linked, of the headers that
# are compiled, and of these Debian packages.
package_sources() {
  local package
  rm -rf "$root/build/python"
  mkdir -p "$root/build/python/licenses"
  generated_parsers "$root" "$root/build/parsers" "$root/build/python/parser"
  for package in libprotobuf-dev libantlr4-runtime-dev libssl-dev "${copied_packages[@]}" "$@"; do
    cp "/usr/share/doc/$package/copyright" "$root/build/python/licenses/$package"
  done
}

# antlr_runtime_version: prints the version of Debian's package, for a build that cannot run the runtime.
antlr_runtime_version() { dpkg-query -W -f '${Version}' libantlr4-runtime-dev | grep -oE '^[0-9.]+'; }

# package_tests PYTHON VENV WHEEL: runs the tests of the Python package without other packages, in a new
# virtual environment.
package_tests() {
  say "Tests of the package alone"
  "$1" -m venv --clear "$2"
  pinned "$2/bin/python" install "$root/python/tests/pytest.txt"
  install_wheel "$2/bin/python" "$3"
  ONNXC_WITHOUT_ONNX=1 "$2/bin/python" -m pytest -q "$root/python/tests"
}

# own_apt FOLDER KIND ARCHITECTURE: sets $apt to an apt-get for this release of Debian, with its package lists
# in FOLDER; the lists of the machine are not changed. KIND is deb or deb-src.
own_apt() {
  local folder=$1 mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian} codename
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mkdir -p "$folder"/apt/{lists/partial,cache/archives/partial}
  touch "$folder/apt/status"
  echo "$2 [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $codename main" >"$folder/apt/sources"
  apt=(apt-get -q -o Dir::State::Lists="$folder/apt/lists" -o Dir::State::status="$folder/apt/status" -o Dir::Cache="$folder/apt/cache"
    -o Dir::Etc::SourceList="$folder/apt/sources" -o Dir::Etc::SourceParts=/dev/null -o APT::Architecture="$3"
    -o APT::Architectures="$3" -o APT::Sandbox::User=root)
  "${apt[@]}" update
}

# debian_sources FOLDER PACKAGE...: fetches the source code of Debian's packages, with its patches, into FOLDER.
debian_sources() {
  local folder=$1
  shift
  [ "$*" != "$(cat "$folder/complete" 2>/dev/null)" ] || return 0
  say "Sources of Debian's packages: $*"
  rm -rf "$folder"
  own_apt "$folder" deb-src "$(dpkg --print-architecture)"
  (cd "$folder" && "${apt[@]}" source "$@" >fetch.log) || { tail -20 "$folder/fetch.log"; return 1; }
  echo "$*" >"$folder/complete"
}

# library_sources: fetches the source code of the libraries that are compiled for other systems into $sources.
library_packages=(protobuf antlr4-cpp-runtime openssl)
sources=$root/build/sources
library_sources() { debian_sources "$sources" "${library_packages[@]}"; }

# libraries_key COMPILER FILE...: prints a checksum of all that the libraries depend on: the compiler, the versions of the
# sources and of the copied headers, and the files and functions that describe the build.
libraries_key() {
  {
    echo "$1"
    (cd "$sources" && echo ./*.dsc)
    dpkg-query -W "${copied_packages[@]}" libutfcpp-dev
    cat "${@:2}" "$root"/cmake/{wheel/CMakeLists.txt,wheel/uuid/uuid.h,fmt.cc}
    declare -f libraries build_libraries build_checksums
  } | sha256sum
}

# build_libraries FOLDER TOOLCHAIN [OPTION...]: builds protobuf, ANTLR's runtime and {fmt} with this toolchain file and
# these options of CMake, and copies the headers of the other libraries, into FOLDER/prefix.
build_libraries() {
  local prefix=$1/prefix build=$1/libraries toolchain=$2
  shift 2
  rm -rf "$prefix"
  mkdir -p "$prefix"/{include,lib,share/cmake}
  cp -r /usr/include/{fmt,utf8cpp,nlohmann,CLI,toml++,xxhash.h} "$prefix/include"
  cp -r /usr/share/cmake/{CLI11,nlohmann_json} "$prefix/share/cmake"
  cmake -G Ninja -S "$root/cmake/wheel" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DHEADERS="$prefix/include" -DPROTOBUF="$(echo "$sources"/protobuf-*/)" -DANTLR="$(echo "$sources"/antlr4-cpp-runtime-*/)runtime" \
    --log-level=WARNING "$@"
  cmake --build "$build" -j "$jobs" --target install >"$build/build.log" || { tail -20 "$build/build.log"; return 1; }
}

# build_checksums FOLDER CC AR OBJECT... -- ARGUMENT...: builds the few objects of OpenSSL that onnxc uses into FOLDER/prefix;
# the whole library would take ten times as long. The arguments are passed to OpenSSL's Configure.
build_checksums() {
  local prefix=$1/prefix build=$1/openssl cc=$2 ar=$3 source objects=()
  source=$(echo "$sources"/openssl-*/)
  shift 3
  while [ "$1" != -- ]; do objects+=("$1"); shift; done
  shift
  mkdir -p "$build"
  (
    cd "$build" &&
      perl "$source/Configure" "$@" no-shared no-tests CC="$cc" AR="$ar" &&
      make -s build_generated &&
      make -s -j "$jobs" "${objects[@]}" &&
      "$ar" rcs "$prefix/lib/libcrypto.a" "${objects[@]}"
  ) >"$build/build.log" 2>&1 || { tail -20 "$build/build.log"; return 1; }
  cp -r "$source/include/openssl" "$prefix/include"
  cp "$build"/include/openssl/*.h "$prefix/include/openssl"
}

# editor_tools: adds the packages of editors/test/requirements.txt, including Node.js and Neovim, to PATH;
# missing packages are installed from PyPI.
editor_tools() {
  local venv=$root/build/editors/venv
  venv_with "$venv" "$root"/editors/test/{sdist,requirements}.txt
  export PATH=$venv/bin:$PATH
}

# step NAME COMMAND...: runs a step, and records its result, time and output for `summary`, and the parts that
# it skipped.
step_lines=()
steps_passed=0
steps_failed=0
failed_logs=()
step() {
  local name=$1 start=$SECONDS verdict=passed log
  shift
  log=$root/build/steps/$name.log
  mkdir -p "${log%/*}"
  say "$name"
  if "$@" 2>&1 | tee "$log"; then
    steps_passed=$((steps_passed + 1))
  else
    verdict=FAILED
    steps_failed=$((steps_failed + 1))
    failed_logs+=("$log")
  fi
  step_lines+=("$(printf '%-8s %5d s  %s' "$verdict" $((SECONDS - start)) "$name")")
  mapfile -t -O ${#step_lines[@]} step_lines < <(sed -n 's/^SKIPPED: /                  skipped: /p' "$log")
}

# Prints all steps, the end of the output of each failed step, and `N passed, N failed`; fails if a step has
# failed.
summary() {
  local log
  say "Steps"
  printf '%s\n' "${step_lines[@]}"
  for log in "${failed_logs[@]}"; do
    say "The end of build/steps/${log##*/}"
    tail -n 40 "$log" | cut -c 1-500
  done
  printf '%d passed, %d failed\n' "$steps_passed" "$steps_failed"
  [ "$steps_failed" = 0 ]
}
