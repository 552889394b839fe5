# The machine that .ci/run needs: Debian 12 with all packages of scripts/lib.sh.
#
#   docker build -t onnxc .
#   docker run --rm -it -v "$PWD:/src" onnxc            a shell in the source folder
#   docker run --rm -v "$PWD:/src" onnxc ./.ci/run      all checks that a change must pass
FROM debian:12
COPY scripts/lib.sh /tmp/scripts/lib.sh
RUN apt-get update -q \
 && bash -c 'source /tmp/scripts/lib.sh && install ca-certificates "${all_packages[@]}"' \
 && rm -rf /tmp/scripts /var/lib/apt/lists/*
RUN git config --system --add safe.directory /src
WORKDIR /src
CMD ["bash"]
