#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: snippets.sh ROOT BUILD
#
# The .pcm texts of the documents become a page: those that stand alone, each as the document has it.
set -eu
root=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '<script type="application/json" id="data">\n{"title": "", "starts": []}\n</script>\n' >"$work/live.html"
printf '```pcm a.pcm\nContactType A = Hertz {};\n```\n```pcm b.pcm\nContactType A = Herz {};\n```\n' >"$work/two.md"
PCM_PLUGIN_PATH=$build/plugins
export PCM_PLUGIN_PATH
python3 "$root/docs/laws/snippets.py" "$build/tools/pcm" "$work/live.html" "$work/two.md" "$work/out.html"
grep -F '"starts": [{"name": "two.md:2", "text": "ContactType A = Hertz {};\n"}]' "$work/out.html" >/dev/null
python3 "$root/docs/laws/snippets.py" "$build/tools/pcm" "$work/live.html" "$root/README.md" "$root"/docs/*.md "$work/out.html" >"$work/said"
cat "$work/said"
[ "$(sed 's/.*: \([0-9]*\) texts/\1/' "$work/said")" -ge 20 ]
