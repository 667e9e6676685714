; The installer for one user: no administrator is asked. makensis -DVERSION=... -DROOT=... -DOUTPUT=... installer.nsi
Target amd64-unicode
SetCompressor /SOLID lzma
Name "Warpline"
OutFile "${OUTPUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Warpline"
InstallDirRegKey HKCU "Software\Warpline" "InstallDir"
BrandingText "Warpline ${VERSION}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Warpline"
VIAddVersionKey FileDescription "Warpline installer"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey LegalCopyright "GPL-3.0-or-later"
!define CLASSES "Software\Classes"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Warpline"

!include MUI2.nsh
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!insertmacro MUI_PAGE_LICENSE "${ROOT}\licences\GPL-3.0-or-later.txt"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\warpline.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; Files of this ending open with Warpline where nothing else opens them; elsewhere it is offered.
!macro Associate ENDING
    WriteRegNone HKCU "${CLASSES}\${ENDING}\OpenWithProgids" "Warpline.Report"
    ReadRegStr $0 HKCR "${ENDING}" ""
    StrCmp $0 "" 0 +2
    WriteRegStr HKCU "${CLASSES}\${ENDING}" "" "Warpline.Report"
!macroend
!macro Dissociate ENDING
    DeleteRegValue HKCU "${CLASSES}\${ENDING}\OpenWithProgids" "Warpline.Report"
    DeleteRegKey /ifempty HKCU "${CLASSES}\${ENDING}\OpenWithProgids"
    ReadRegStr $0 HKCU "${CLASSES}\${ENDING}" ""
    StrCmp $0 "Warpline.Report" 0 +2
    DeleteRegValue HKCU "${CLASSES}\${ENDING}" ""
    DeleteRegKey /ifempty /ifnovalues HKCU "${CLASSES}\${ENDING}"
!macroend
!macro RefreshShell
    System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

Section
    SetOutPath "$INSTDIR"
    File /r "${ROOT}\*"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\Warpline.lnk" "$INSTDIR\warpline.exe"
    WriteRegStr HKCU "Software\Warpline" "InstallDir" "$INSTDIR"
    WriteRegStr HKCU "${CLASSES}\Warpline.Report" "" "GPU profile"
    WriteRegStr HKCU "${CLASSES}\Warpline.Report\DefaultIcon" "" "$INSTDIR\warpline.exe,0"
    WriteRegStr HKCU "${CLASSES}\Warpline.Report\shell\open\command" "" '"$INSTDIR\warpline.exe" "%1"'
    WriteRegStr HKCU "${CLASSES}\Applications\warpline.exe\shell\open\command" "" '"$INSTDIR\warpline.exe" "%1"'
    WriteRegStr HKCU "${CLASSES}\Applications\warpline.exe" "FriendlyAppName" "Warpline"
    !insertmacro Associate ".sqlite"
    !insertmacro Associate ".nsys-rep"
    !insertmacro Associate ".qdrep"
    !insertmacro Associate ".warpline"
    WriteRegNone HKCU "${CLASSES}\.json\OpenWithProgids" "Warpline.Report"
    WriteRegNone HKCU "${CLASSES}\.gz\OpenWithProgids" "Warpline.Report"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Warpline"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\warpline.exe"
    WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Warpline authors"
    WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
    !insertmacro RefreshShell
SectionEnd

; What the installer and the program wrote, and nothing that the user put beside it.
Section Uninstall
    Delete "$INSTDIR\warpline.exe"
    Delete "$INSTDIR\warpline-cli.exe"
    Delete "$INSTDIR\README.txt"
    Delete "$INSTDIR\sample.sqlite"
    Delete "$INSTDIR\warpline.spdx.json"
    Delete "$INSTDIR\uninstall.exe"
    RMDir /r "$INSTDIR\licences"
    RMDir "$INSTDIR"
    Delete "$SMPROGRAMS\Warpline.lnk"
    !insertmacro Dissociate ".sqlite"
    !insertmacro Dissociate ".nsys-rep"
    !insertmacro Dissociate ".qdrep"
    !insertmacro Dissociate ".warpline"
    !insertmacro Dissociate ".json"
    !insertmacro Dissociate ".gz"
    DeleteRegKey HKCU "${CLASSES}\Warpline.Report"
    DeleteRegKey HKCU "${CLASSES}\Applications\warpline.exe"
    DeleteRegKey HKCU "${UNINSTALL}"
    DeleteRegKey HKCU "Software\Warpline"
    ; Settings, session and cache of the program.
    DeleteRegKey HKCU "Software\warpline"
    RMDir /r "$LOCALAPPDATA\warpline"
    !insertmacro RefreshShell
SectionEnd
