#!/usr/bin/env bash
# The pages: the pictures of the first one are those of the figures, in whichever language. In the long proof the site is built, has no
# dead link and no page without a way back, Chromium takes pictures of its first page, and each command that is shown is there with its
# options.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"
plain_locale

check "the pictures of the first page are those of the figures" "$root/scripts/pictures" --check

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# Debian's own awk, where it is there, writes numbers as the user's language does.
pictures_in_german() {
  mkdir "$dir/bin" || return 1
  ! command -v mawk >/dev/null || ln -s "$(command -v mawk)" "$dir/bin/awk"
  PATH=$dir/bin:$PATH LOCPATH=$dir LC_ALL=de_DE.UTF-8 "$root/scripts/pictures" --check
}
# Where there are no sources of locales, there is nobody with such a language either.
! localedef -i de_DE -f UTF-8 "$dir/de_DE.UTF-8" 2>/dev/null || check "so they are for somebody whose language is German" pictures_in_german

long_proof || end_checks

# By which the site is built, and looked at.
needed mkdocs mkdocs-material
needed chromium chromium

builds() { "$root/docs/build" --check; }
check "the site is built, with the Javadoc, and has no dead link" builds

# A link that leads nowhere, one to a heading that is not there, and a script from elsewhere are found.
finds_what_is_wrong() {
  cp -r "$root/target/site" "$dir/site" && rm -rf "$dir/site/api"
  sed -i 's|</body>|<a href="nowhere.html">x</a><a href="locks.html#nowhere">x</a><script src="https://example.org/x.js"></script></body>|' \
    "$dir/site/faq.html"
  python3 "$root/docs/site/check.py" "$dir/site" >"$dir/said" && return 1
  grep -q 'faq.html links to nowhere.html, which is not there' "$dir/said" &&
    grep -q 'faq.html links to locks.html#nowhere, where there is no such heading' "$dir/said" &&
    grep -q 'faq.html loads https://example.org/x.js from elsewhere' "$dir/said"
}
check "a dead link, a heading that is not there and a script from elsewhere are found" finds_what_is_wrong

looks() { python3 "$root/docs/site/look.py" "$root/target/site" "$root/target/site-look"; }
check "the first page is looked at: light, dark, and 390 pixels wide" looks

# The lines of commands in the pages, as "PAGE<tab>COMMAND", what follows a pipe, a comment or -- left out.
shown() {
  find "$root/README.md" "$root/CONTRIBUTING.md" "$root"/docs "$root"/examples -name '*.md' -not -path '*/target/*' | while IFS= read -r page; do
    sed -nE 's#^( {4})?((\./(belay|verify)|scripts/[a-z-]+|trials/[a-z-]+|bench/run|docs/build)( .*)?)$#'"${page#"$root"/}"'\t\2#p' "$page"
  done | sed -E 's/ (-- |[#|>&;]).*//'
}

# has_option OPTION FILE...: whether one of them has that option, and not only one that begins like it.
has_option() { grep -qE -e "$1([^a-z-]|\$)" "${@:2}"; }

# help_of PROGRAM [SUBCOMMAND]: asks for its help, once, and sets kept to the file that has it.
help_of() {
  kept=$dir/help-$(printf '%s' "$*" | tr -c 'a-z' -)
  [ -e "$kept" ] || (cd "$root" && "$@" --help) >"$kept" 2>&1 </dev/null
}

commands_are_there() {
  local page line words word program kept wrong=0 count=0
  while IFS=$'\t' read -r page line; do
    read -r -a words <<<"$line"
    program=("${words[0]}")
    [ "${words[0]}" != ./belay ] || [[ ${words[1]-} == -* ]] || program+=(${words[1]+"${words[1]}"})
    count=$((count + 1))
    if [ ! -x "$root/${words[0]}" ]; then
      echo "$page: there is no ${words[0]}"
      wrong=1
      continue
    fi
    for word in "${words[@]:1}"; do
      [[ $word =~ ^(--[a-z][a-z-]+) ]] || continue
      help_of "${program[@]}"
      has_option "${BASH_REMATCH[1]}" "$root/${words[0]}" "$kept" || {
        echo "$page: ${program[*]} has no option ${BASH_REMATCH[1]}"
        wrong=1
      }
    done
  done < <(shown | LC_ALL=C sort -u)
  echo "$count commands"
  [ "$wrong" = 0 ] && [ "$count" -gt 40 ]
}
check "each command that is shown is there, with its options" commands_are_there

end_checks
