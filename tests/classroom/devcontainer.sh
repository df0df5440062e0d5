#!/bin/sh
# The development container has all packages that the README names (as do the notebook and the templates), and can grade an exercise.
# Containers cannot run everywhere, so this test executes the RUN lines of the Dockerfile in a new Debian of the same version (debootstrap,
# chroot), and then deletes it. Usage: devcontainer.sh ROOT FOLDER [packages]. With `packages`, the script only checks that no package is
# missing. The whole test takes minutes and needs a network, so it requires KIT_TEST_CONTAINER=1 in the environment.
set -u
root=$1
folder=$2
file=$root/.devcontainer/Dockerfile
said=$folder/said

skip() {
    echo "skipped: $1"
    echo "RESULT skip"
    exit 77
}
fail() {
    echo "devcontainer.sh: $1"
    tail -n 30 "$said"
    exit 1
}

rm -rf "$folder"
mkdir -p "$folder"
: >"$said"

# First without a container: the Dockerfile must have every package in the commands for students and instructors.
sed -n 's/.*apt-get install -y \([a-z0-9+ -]*\).*/\1/p' "$root/README.md" "$root/lectures/instructors_guide.md" | tr ' ' '\n' | sort -u >"$folder/wanted"
[ "$(wc -l <"$folder/wanted")" -ge 6 ] || fail "the README's packages are not found: have its commands changed?"
for package in $(cat "$folder/wanted"); do
    case $package in doxygen | nodejs | npm | chromium) continue ;; esac # of the site and the slides
    tr -s ' ' '\n' <"$file" | grep -qxF -e "$package" || fail "README.md or the instructor's guide installs $package, and the Dockerfile does not"
done
packages=$(sed -n "s/.*apt-get install -y \\(g++[a-z0-9+ -]*\\)' .*/\\1/p" "$root/README.md" | head -n 1)
[ -n "$packages" ] || fail "the README's first command is not found"
for other in exercises/notebook.ipynb common/classroom/templates/setup.sh common/classroom/templates/github_classroom.yml; do
    grep -qF -e "$packages" "$root/$other" || fail "$other installs other packages than the README: $packages"
done
grep -q '"dockerfile": "Dockerfile"' "$root/.devcontainer/devcontainer.json" || fail "devcontainer.json builds another file"

[ "${3:-}" = packages ] && echo "RESULT pass: container, notebook and templates install what the README does" && exit 0
[ "${KIT_TEST_CONTAINER:-0}" = 1 ] || skip "it takes minutes, and a network: KIT_TEST_CONTAINER=1 ctest -R classroom.devcontainer"
[ "$(id -u)" = 0 ] || skip "a Debian is set up by root only"
command -v debootstrap >/dev/null || skip "debootstrap is not installed: apt-get install debootstrap"
version=$(sed -n 's/^FROM debian:\([0-9]*\)$/\1/p' "$file")
[ "$version" = 12 ] || fail "the Dockerfile is not from debian:12 any more: this test must learn the new name"

debian=$(mktemp -d)
trap 'umount "$debian/proc" 2>/dev/null; rm -rf --one-file-system "$debian"' EXIT
debootstrap --variant=minbase bookworm "$debian" >"$said" 2>&1 || skip "no Debian can be fetched here: $(tail -n 1 "$said")"
cp /etc/resolv.conf "$debian/etc/"
cat /etc/hosts >"$debian/etc/hosts"
[ -d /etc/apt/apt.conf.d ] && grep -hi proxy /etc/apt/apt.conf.d/* >"$debian/etc/apt/apt.conf.d/90proxy" 2>/dev/null
mount -t proc proc "$debian/proc" 2>/dev/null || true

# The RUN lines of the Dockerfile, with continued lines joined and with the variables of the file.
sed -e ':more' -e '/\\$/{N;s/\\\n//;b more' -e '}' "$file" | sed -n 's/^RUN //p' >"$folder/run"
[ "$(wc -l <"$folder/run")" -ge 2 ] || fail "the Dockerfile has no lines RUN"
while read -r line; do
    chroot "$debian" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive CUDA= sh -c "$line" \
        >"$said" 2>&1 </dev/null || fail "fails: RUN $line"
done <"$folder/run"

# In the container: the command of devcontainer.json, then one exercise that is solved, and one that is not.
mkdir "$debian/course"
(cd "$root" && { git ls-files --cached --others --exclude-standard 2>/dev/null || find . -path ./build -prune -o -type f -print; } |
    while read -r name; do [ -f "$name" ] && echo "$name"; done | tar cf - -T -) |
    tar xf - -C "$debian/course" || fail "the checkout is not copied"
topic=00_first_kernel
cp "$debian/course/solutions/$topic/grid_stride.cu" "$debian/course/exercises/$topic/"
inside() {
    chroot "$debian" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C sh -c "cd /course && $1" >"$said" 2>&1 </dev/null
}
inside "$(sed -n 's/.*"postCreateCommand": "\(.*\)".*/\1/p' "$root/.devcontainer/devcontainer.json")" || fail "postCreateCommand"
inside "ctest --preset exercises -R first_kernel.grid_stride" || fail "the solution does not pass"
grep -q "RESULT pass: " "$said" || fail "no verdict"
inside "ctest --preset exercises -R first_kernel.vector_add" && fail "an open exercise passed"
grep -q "TODO(1) is open" "$said" || fail "the open exercise is not told as open"
echo "RESULT pass: the container's file is built, and grades"
