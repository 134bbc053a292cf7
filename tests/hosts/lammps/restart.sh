#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: restart.sh ROOT BUILD FOLDER
#
# A run from a restart file that was written in mid-contact goes on as the first one did, on any number of ranks. History
# that is missing, or of other laws, is an error.
. "$(dirname "$0")/lammps.sh"
clusters
echo 'pair_style pcm hertz.pcm
pair_coeff * * Left Right' >style
runs 2 restart.in -v out whole
for ranks in 1 2 4; do
    runs $ranks continue.in -v from whole.restart -v style style -v out continued
    agree whole continued 1e-14
done

# Without history the motion differs, which shows that the test above is sensitive.
echo 'pair_style pcm hertz.pcm history new
pair_coeff * * Left Right' >anew
runs 1 continue.in -v from whole.restart -v style anew -v out forgetful
awk -v d="$(largest whole forgetful)" 'BEGIN { exit !(d > 1e-6) }' || complain 'history makes no difference here'

# stops STYLE RESTART TEXT: ends with an error that contains the text.
stops() {
    for many in 1 2; do
        on $many continue.in -v from "$2" -v style "$1" -v out none && complain "$1 after $2 runs"
        [ "$(grep -c "ERROR: .*$3" printed)" = 1 ] || { cat printed; complain "$1 after $2 does not say once: $3"; }
    done
}
sed 's/Grain/Pebble/' hertz.pcm >renamed.pcm
echo 'pair_style pcm renamed.pcm
pair_coeff * * Left Right' >renamed
stops renamed whole.restart 'contacts remember the law "Grain = GranHertz'
sed 's/^pair_style.*/pair_style gran\/hertz\/history 1e8 2.857e7 6e4 3e4 0.5 1/; s/^pair_coeff.*/pair_coeff * */' restart.in >native.in
runs 1 native.in -v out native
stops style native.restart "the restart file has no history of PCM's contacts"
exit $failed
