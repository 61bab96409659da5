#!/bin/sh
# Writes the hash-pinned lock files from pyproject.toml. Needs uv.
# Existing pins are kept while they satisfy pyproject.toml; `--upgrade` takes the newest allowed ones.
set -eu
cd "$(dirname "$0")/.."

if ! command -v uv >/dev/null; then
    echo "requirements/compile.sh: uv is needed to resolve the locks; install it and try again" >&2
    exit 1
fi

compile() {
    uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header "$@"
}

compile pyproject.toml -o requirements/runtime.txt "$@"
compile pyproject.toml --extra postgres --group dev -c requirements/runtime.txt -o requirements/dev.txt "$@"
compile --group build -c requirements/dev.txt -o requirements/build.txt "$@"
