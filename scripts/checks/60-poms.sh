#!/usr/bin/env bash
# Whoever depends on a published module gets the versions that it was tested with: alone, with the BOM, and under Spring Boot's
# parent, where only what that manages differs. Maven reads POMs for it, no jars; those of Spring Boot's versions it downloads once.

set -uo pipefail
. "$(dirname "$0")/../lib.sh"
plain_locale

dir=$root/target/poms
tree=target/poms.txt

# Where Spring, AssertJ and Awaitility name other versions of what is theirs alone: no class of Belay's uses it.
own_choice='^(spring.* (commons-logging:commons-logging|io[.]micrometer:)|tck (net[.]bytebuddy:|org[.]hamcrest:))'

# version_of FILE ARTIFACT: the first version that stands behind that artifact, or of that plugin, in a POM.
version_of() { sed -n "/<artifactId>$2</,/<\/version>/s|.*<version>\(.*\)</version>|\1|p" "$root/$1" | head -n 1; }

belay=$(version_of pom.xml belay-parent)
boot=$(version_of examples/spring-boot-orders/pom.xml spring-boot-starter-parent)
tree_goal=org.apache.maven.plugins:maven-dependency-plugin:$(version_of pom.xml maven-dependency-plugin):tree

# The directories of what the BOM lists, which are named as the artifacts are.
published() { sed -n 's|.*<artifactId>belay-\(.*\)</artifactId>|\1|p' "$root/bom/pom.xml" | grep -v '^bom$'; }

# consumer WAY MODULE: the POM of a project that depends on that module alone.
consumer() {
  local version="<version>$belay</version>"
  echo "<project><modelVersion>4.0.0</modelVersion>"
  case $1 in
    bom)
      version=
      echo "<dependencyManagement><dependencies><dependency><groupId>io.belay</groupId><artifactId>belay-bom</artifactId>"
      echo "<version>$belay</version><type>pom</type><scope>import</scope></dependency></dependencies></dependencyManagement>"
      ;;
    boot)
      echo "<parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>"
      echo "<version>$boot</version><relativePath/></parent>"
      ;;
  esac
  echo "<groupId>consumer</groupId><artifactId>$1-$2</artifactId><version>1</version>"
  echo "<dependencies><dependency><groupId>io.belay</groupId><artifactId>belay-$2</artifactId>$version</dependency></dependencies></project>"
}

# Resolves all of them in one build together with the modules themselves, which are in no repository.
resolve() {
  local way module
  rm -rf "$dir"
  mkdir -p "$dir"
  {
    echo "<project><modelVersion>4.0.0</modelVersion><groupId>consumer</groupId><artifactId>all</artifactId><version>1</version>"
    echo "<packaging>pom</packaging><modules><module>../..</module>"
    for module in $(published); do
      for way in alone bom boot; do
        mkdir "$dir/$way-$module"
        consumer "$way" "$module" >"$dir/$way-$module/pom.xml"
        echo "<module>$way-$module</module>"
      done
    done
    echo "</modules></project>"
  } >"$dir/pom.xml"
  mvn_here -f "$dir/pom.xml" "$tree_goal" -Dverbose "-DoutputFile=$tree" >"$dir/log" 2>&1
}

# same WAY MODULE: what the consumer gets has the versions of the module's own build. Lines in parentheses are those that lost.
same() {
  awk -v way="$1" -v module="$2" -v own="$own_choice" '
    function read_line() {
      gsub(/^[ |+\\-]*/, "")
      parts = split($1, part, ":")
      if (/^\(/ || parts < 5) return 0
      version = part[parts - 1]
      artifact = part[1] ":" part[2] (parts > 5 ? ":" part[4] : "")
      return artifact !~ /^io\.belay:/ && part[parts] ~ /^(compile|runtime)/
    }
    FNR == NR { gsub(/:(test|provided)/, ":compile"); if (read_line()) tested[artifact] = version; next }
    read_line() {
      read++
      if (version == tested[artifact] || (module " " artifact) ~ own || (way == "boot" && /version managed from/)) next
      printf "%s: %s gets %s, and the build ran %s\n", way, artifact, version, (tested[artifact] == "" ? "none" : tested[artifact])
      wrong++
    }
    END { if (!read) print "no dependency was read"; exit wrong || !read }' \
    "$root/$2/$tree" "$dir/$1-$2/$tree"
}

all_same() { same alone "$1" && same bom "$1" && same boot "$1"; }

if ! resolve; then
  why_it_failed "$dir/log"
  if grep -qE 'Could not transfer artifact|in offline mode' "$dir/log"; then
    echo "Spring Boot's POMs are neither in the local repository nor to be downloaded."
    exit 77
  fi
  exit 1
fi
for module in $(published); do
  check "belay-$module alone, with the BOM and under Spring Boot $boot: the versions that were tested" all_same "$module"
done
end_checks
