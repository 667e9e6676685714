#!/usr/bin/env bash
# Writes an SPDX 2.3 document of what a package of Warpline is made of: packaging/spdx.sh NAME FILE [DEBIAN_PACKAGE...]
# NAME is that of the package; each Debian package is listed with version and licence. Equal input gives equal bytes.
set -euo pipefail
# shellcheck source=packaging/common.sh disable=SC1091
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
name="$1"
file="$2"
shift 2
moment="$(date --utc --date="@${SOURCE_DATE_EPOCH:?}" +%Y-%m-%dT%H:%M:%SZ)"

# licence PACKAGE: of the library, as SPDX names it.
licence() {
    case "$1" in
    libsqlite3*) printf 'blessing' ;;
    zlib1g* | libz-mingw*) printf 'Zlib' ;;
    libfmt* | nlohmann-json3*) printf 'MIT' ;;
    libcli11*) printf 'BSD-3-Clause' ;;
    libxxhash*) printf 'BSD-2-Clause' ;;
    liblzma*) printf '0BSD' ;;
    libzstd*) printf 'BSD-3-Clause' ;;
    libc6*) printf 'LGPL-2.1-or-later' ;;
    libqt6* | qt6-*) printf 'LGPL-3.0-only' ;;
    libstdc++* | libgcc* | g++-mingw*) printf 'GPL-3.0-or-later WITH GCC-exception-3.1' ;;
    mingw-w64*) printf 'ZPL-2.1' ;;
    fonts-noto-cjk*) printf 'OFL-1.1' ;;
    fonts-dejavu*) printf 'Bitstream-Vera' ;;
    *) printf 'NOASSERTION' ;;
    esac
}

packages=""
relations="{ \"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-warpline\" }"
for package in $(printf '%s\n' "$@" | sort -u); do
    id="SPDXRef-$(tr -c 'A-Za-z0-9.\n' '-' <<<"$package")"
    packages+=",
    { \"SPDXID\": \"$id\", \"name\": \"$package\", \"versionInfo\": \"$(dpkg-query -W -f='${Version}' "$package")\",
      \"supplier\": \"Organization: Debian\", \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false,
      \"licenseConcluded\": \"$(licence "$package")\", \"licenseDeclared\": \"NOASSERTION\", \"copyrightText\": \"NOASSERTION\" }"
    relations+=",
    { \"spdxElementId\": \"SPDXRef-warpline\", \"relationshipType\": \"DEPENDS_ON\", \"relatedSpdxElement\": \"$id\" }"
done
cat >"$file" <<END
{
  "spdxVersion": "SPDX-2.3",
  "dataLicense": "CC0-1.0",
  "SPDXID": "SPDXRef-DOCUMENT",
  "name": "$name",
  "documentNamespace": "urn:warpline:spdx:$name-$SOURCE_DATE_EPOCH",
  "creationInfo": { "created": "$moment", "creators": ["Organization: The Warpline authors"] },
  "packages": [
    { "SPDXID": "SPDXRef-warpline", "name": "warpline", "versionInfo": "$version", "supplier": "Organization: The Warpline authors",
      "downloadLocation": "NOASSERTION", "filesAnalyzed": false, "licenseConcluded": "GPL-3.0-or-later",
      "licenseDeclared": "GPL-3.0-or-later", "copyrightText": "NOASSERTION" }$packages
  ],
  "relationships": [
    $relations
  ]
}
END
