# SPDX-License-Identifier: MIT
# Sourced by the tests of the tree, which are called with ROOT: goes there and gives them one function.
cd "$1" || exit 1

# tree_files GLOB ...: the project's files of those names. Outside a git checkout (an unpacked archive), every file
# except those of builds.
tree_files() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard -- "$@"
    else
        for glob; do
            find . -path './build*' -prune -o -type f -name "$glob" -print
        done
    fi
}
