#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: deb.sh ROOT     (as root, with debootstrap and a Debian mirror)
#
# The Debian packages of scripts/deb: lintian finds no error, and in a Debian 12 with nothing else they install, serve the
# command, a law of one's own, a simulator and Python, and leave nothing behind when they are removed.
set -eu
root=$1
[ "$(id -u)" = 0 ] || { echo 'only root may make a bare system'; exit 77; }
for tool in debootstrap lintian; do
    command -v $tool >/dev/null || apt-get install -y -qq $tool >/dev/null
done
"$root/scripts/deb" >/dev/null
lintian --fail-on error "$root"/out/*.deb

system=$(mktemp -d)
trap 'umount "$system/proc" 2>/dev/null; rm -rf --one-file-system "$system"' EXIT
debootstrap --variant=minbase bookworm "$system" >/dev/null
mount -t proc proc "$system/proc"
mkdir "$system/packages"
cp "$root"/out/*.deb "$system/packages"
cp "$root/examples/LinearSpring.c" "$root/examples/embedding.c" "$root/examples/embedding.pcm" "$system/root"
typed() {
    echo "== $1"
    chroot "$system" env -i HOME=/root TERM=dumb DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -ec "cd /root; $1"
}
# What stands anywhere but in apt's and dpkg's own books.
files() { (cd "$system" && find . -xdev \( -path ./proc -o -path ./var -o -path ./tmp -o -path ./root -o -path ./packages \) -prune -o -print | sort); }

typed 'apt-get update -qq; apt-get install -y -qq --no-install-recommends gcc libc6-dev pkg-config python3-numpy libgomp1 >/dev/null'
files >"$system/root/before"
typed 'apt-get install -y -qq --no-install-recommends /packages/*.deb >/dev/null'
typed 'pcm check embedding.pcm; pcm models | grep -c "^[A-Z]"'
typed 'cc -shared -fPIC -O2 $(pkg-config --cflags pcm-plugin) LinearSpring.c -o LinearSpring.so; pcm models LinearSpring --plugins . | head -n 3'
typed 'cc embedding.c -o embedding $(pkg-config --cflags --libs pcm); ./embedding embedding.pcm | tail -n 1'
typed 'python3 -c "import pcm; print(len(pcm.load(\"embedding.pcm\")))"'
typed "apt-get purge -y -qq --auto-remove '*pcm-contact*' >/dev/null"
files >"$system/root/after"
diff "$system/root/before" "$system/root/after" || { echo 'the packages left these behind, or took them away'; exit 1; }
echo 'deb: installed, used and removed'
