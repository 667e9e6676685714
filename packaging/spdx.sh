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

# licence PACKAGE: of the library in its package, as SPDX names it. Debian's "Files: *" is often that of tools beside it.
licence() {
    case "$1" in
    libsqlite3*) printf 'blessing' ;;
    zlib1g* | libz-mingw*) printf 'Zlib' ;;
    libfmt* | nlohmann-json3* | libbrotli* | libexpat* | libharfbuzz* | libffi* | libmd4c* | libwayland* | libxkbcommon* | \
        libegl* | libgl[0-9]* | libglvnd* | libglx* | libopengl* | libduktape* | libnghttp* | libpsl*) printf 'MIT' ;;
    libx11*) printf 'MIT AND X11' ;;
    libxcb*) printf 'X11' ;;
    libxext*) printf 'MIT-open-group AND HPND-sell-variant AND HPND AND MIT' ;;
    libxau* | libxdmcp* | libice* | libsm[0-9]*) printf 'MIT-open-group' ;;
    libcli11* | libzstd* | libdouble-conversion* | libp11-kit* | libpcre2* | libssh2* | libuuid*) printf 'BSD-3-Clause' ;;
    libbsd*) printf 'BSD-3-Clause AND BSD-2-Clause AND ISC AND MIT' ;;
    libmd[0-9]*) printf 'BSD-3-Clause AND BSD-2-Clause AND ISC AND Beerware' ;;
    libcap2*) printf 'BSD-3-Clause OR GPL-2.0-only' ;;
    libxxhash* | liblz4* | libgssapi-krb5* | libk5crypto* | libkrb5*) printf 'BSD-2-Clause' ;;
    libb2-*) printf 'CC0-1.0' ;;
    libcom-err*) printf 'HPND' ;;
    libcurl*) printf 'curl' ;;
    libldap*) printf 'OLDAP-2.8' ;;
    libsasl2*) printf 'BSD-Attribution-HPND-disclaimer' ;;
    libselinux*) printf 'libselinux-1.0' ;;
    libssl*) printf 'Apache-2.0' ;;
    liblzma*) printf '0BSD' ;;
    libpng16*) printf 'libpng-2.0' ;;
    libfreetype*) printf 'FTL OR GPL-2.0-or-later' ;;
    libfontconfig* | libxrender*) printf 'HPND-sell-variant' ;;
    libicu7[0-3]*) printf 'Unicode-DFS-2016' ;;
    libicu*) printf 'Unicode-3.0' ;;
    libdbus-1*) printf 'AFL-2.1 OR GPL-2.0-or-later' ;;
    libgraphite2*) printf 'LGPL-2.1-or-later OR MPL-1.1 OR GPL-2.0-or-later' ;;
    libkeyutils*) printf 'LGPL-2.0-or-later' ;;
    libc6* | libglib2* | libgcrypt* | libgpg-error* | libproxy* | libsystemd* | libmount* | libblkid* | libgnutls* | libtasn1* | \
        librtmp* | libssh-*) printf 'LGPL-2.1-or-later' ;;
    libgmp* | libhogweed* | libidn2* | libnettle* | libunistring*) printf 'LGPL-3.0-or-later OR GPL-2.0-or-later' ;;
    libqt6* | qt6-*) printf 'LGPL-3.0-only' ;;
    libatomic* | libstdc++* | libgcc* | libgomp* | g++-mingw*) printf 'GPL-3.0-or-later WITH GCC-exception-3.1' ;;
    mingw-w64*) printf 'ZPL-2.1' ;;
    fonts-noto-cjk*) printf 'OFL-1.1' ;;
    fonts-dejavu*) printf 'Bitstream-Vera' ;;
    *)
        printf 'Warning: the licence of %s is not known here: add it\n' "$1" >&2
        printf 'NOASSERTION'
        ;;
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
