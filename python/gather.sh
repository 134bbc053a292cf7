#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: gather.sh FOLDER WITHIN FILE ...
#
# Makes FOLDER anew, with the files in its folder WITHIN. A shared library goes under the name that others ask for it by.
set -eu
folder=$1
within=$1/$2
shift 2
rm -rf "$folder"
mkdir -p "$within"
for file; do
    case $file in
    *.so.*.*.*) cp "$file" "$within/$(basename "${file%.*.*}")" ;;
    *) cp "$file" "$within" ;;
    esac
done
