# Which files are of this tree. Sourced at the tree's root.
# shellcheck shell=bash

# Those that git tracks and those that it does not ignore; without git, all but what was built and graded. A tree that lies
# in another repository has no .git of its own, and that repository may ignore it.
tree_files() {
    if [[ -e .git ]] && command -v git >/dev/null; then
        git ls-files --cached --others --exclude-standard
    else
        find . \( -path ./build -o -path ./results -o -name .git -o -path './labs/*/Makefile' \) -prune -o \( -type f -o -type l \) -print | sed 's|^\./||'
    fi | while IFS= read -r file; do [[ ! -f $file ]] || printf '%s\n' "$file"; done
}
