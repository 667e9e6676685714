#include "app/language_choice.h"

#include "core/render/language.h"

#include <QApplication>
#include <QFont>
#include <QFontInfo>
#include <QLocale>
#include <QSettings>
#include <QTranslator>

#include <memory>
#include <vector>

static void initCatalogues()
{
    Q_INIT_RESOURCE(languages); // of a static library; must be called outside of any namespace
}

namespace warpline {

namespace {

QString& languageOfThisRun()
{
    static QString key;
    return key;
}

/// A catalogue in which each text stands once.
class Catalogue : public QTranslator {
public:
    QString translate(const char*, const char* text, const char*, int count) const override
    {
        return QTranslator::translate("Warpline", text, nullptr, count);
    }
};

/// Qt's own buttons and its dialog of files, where its catalogue is not installed.
[[maybe_unused]] constexpr const char* textsOfQt[]{QT_TRANSLATE_NOOP("Warpline", "&Yes"),
    QT_TRANSLATE_NOOP("Warpline", "&No"), QT_TRANSLATE_NOOP("Warpline", "OK"),
    QT_TRANSLATE_NOOP("Warpline", "&OK"), QT_TRANSLATE_NOOP("Warpline", "&Cancel"),
    QT_TRANSLATE_NOOP("Warpline", "Save"), QT_TRANSLATE_NOOP("Warpline", "Open"),
    QT_TRANSLATE_NOOP("Warpline", "Close"), QT_TRANSLATE_NOOP("Warpline", "Apply"),
    QT_TRANSLATE_NOOP("Warpline", "Discard"), QT_TRANSLATE_NOOP("Warpline", "&Undo"),
    QT_TRANSLATE_NOOP("Warpline", "&Redo"), QT_TRANSLATE_NOOP("Warpline", "Cu&t"),
    QT_TRANSLATE_NOOP("Warpline", "&Copy"), QT_TRANSLATE_NOOP("Warpline", "&Paste"),
    QT_TRANSLATE_NOOP("Warpline", "Delete"), QT_TRANSLATE_NOOP("Warpline", "Select All"),
    QT_TRANSLATE_NOOP("Warpline", "Copy &Link Location"), QT_TRANSLATE_NOOP("Warpline", "Float"),
    QT_TRANSLATE_NOOP("Warpline", "Closes the dock widget"),
    QT_TRANSLATE_NOOP("Warpline", "Undocks and re-attaches the dock widget"),
    QT_TRANSLATE_NOOP("Warpline", "Back"), QT_TRANSLATE_NOOP("Warpline", "Forward"),
    QT_TRANSLATE_NOOP("Warpline", "&Open"), QT_TRANSLATE_NOOP("Warpline", "&Save"),
    QT_TRANSLATE_NOOP("Warpline", "&Delete"), QT_TRANSLATE_NOOP("Warpline", "&Rename"),
    QT_TRANSLATE_NOOP("Warpline", "&New Folder"), QT_TRANSLATE_NOOP("Warpline", "Show &hidden files"),
    QT_TRANSLATE_NOOP("Warpline", "Go back"), QT_TRANSLATE_NOOP("Warpline", "Go forward"),
    QT_TRANSLATE_NOOP("Warpline", "Parent Directory"),
    QT_TRANSLATE_NOOP("Warpline", "Go to the parent directory"),
    QT_TRANSLATE_NOOP("Warpline", "Create New Folder"), QT_TRANSLATE_NOOP("Warpline", "Create a New Folder"),
    QT_TRANSLATE_NOOP("Warpline", "List View"), QT_TRANSLATE_NOOP("Warpline", "Change to list view mode"),
    QT_TRANSLATE_NOOP("Warpline", "Detail View"), QT_TRANSLATE_NOOP("Warpline", "Change to detail view mode"),
    QT_TRANSLATE_NOOP("Warpline", "Files"), QT_TRANSLATE_NOOP("Warpline", "Folder"),
    QT_TRANSLATE_NOOP("Warpline", "Drive"), QT_TRANSLATE_NOOP("Warpline", "Date Modified"),
    QT_TRANSLATE_NOOP("Warpline", "Name"), QT_TRANSLATE_NOOP("Warpline", "Size"),
    QT_TRANSLATE_NOOP("Warpline", "Type"), QT_TRANSLATE_NOOP("Warpline", "Sidebar"),
    QT_TRANSLATE_NOOP("Warpline", "List of places and bookmarks"), QT_TRANSLATE_NOOP("Warpline", "Computer"),
    QT_TRANSLATE_NOOP("Warpline", "Look in:"), QT_TRANSLATE_NOOP("Warpline", "Directory:"),
    QT_TRANSLATE_NOOP("Warpline", "File &name:"), QT_TRANSLATE_NOOP("Warpline", "Files of type:"),
    QT_TRANSLATE_NOOP("Warpline", "&Choose"), QT_TRANSLATE_NOOP("Warpline", "Save As"),
    QT_TRANSLATE_NOOP("Warpline", "Find Directory"), QT_TRANSLATE_NOOP("Warpline", "Press shortcut"),
    QT_TRANSLATE_NOOP("Warpline", "Scroll Left"), QT_TRANSLATE_NOOP("Warpline", "Scroll Right"),
    QT_TRANSLATE_NOOP("Warpline", "Show Details..."), QT_TRANSLATE_NOOP("Warpline", "Hide Details..."),
    QT_TRANSLATE_NOOP("Warpline", "Show "), QT_TRANSLATE_NOOP("Warpline", "Scroll here"),
    QT_TRANSLATE_NOOP("Warpline", "Top"), QT_TRANSLATE_NOOP("Warpline", "Bottom"),
    QT_TRANSLATE_NOOP("Warpline", "Left edge"), QT_TRANSLATE_NOOP("Warpline", "Right edge"),
    QT_TRANSLATE_NOOP("Warpline", "Page up"), QT_TRANSLATE_NOOP("Warpline", "Page down"),
    QT_TRANSLATE_NOOP("Warpline", "Page left"), QT_TRANSLATE_NOOP("Warpline", "Page right"),
    QT_TRANSLATE_NOOP("Warpline", "Scroll up"), QT_TRANSLATE_NOOP("Warpline", "Scroll down"),
    QT_TRANSLATE_NOOP("Warpline", "Scroll left"), QT_TRANSLATE_NOOP("Warpline", "Scroll right"),
    QT_TRANSLATE_NOOP("Warpline", "Usage: %1"), QT_TRANSLATE_NOOP("Warpline", "[options]"),
    QT_TRANSLATE_NOOP("Warpline", "Options:"), QT_TRANSLATE_NOOP("Warpline", "Arguments:"),
    QT_TRANSLATE_NOOP("Warpline", "Unknown option '%1'."),
    QT_TRANSLATE_NOOP("Warpline", "Missing value after '%1'."),
    QT_TRANSLATE_NOOP("Warpline", "Unexpected value after '%1'.")};

/// The same letter looks otherwise in China and in Japan. A desktop in the language has its fonts.
void preferFontsOf(const Language& language)
{
    static const QString ofDesktop = QFontInfo(QApplication::font()).family(); // as the first call finds it
    QStringList families;
    if (&languageOfLocale(QLocale::system().name().toStdString()) != &language) {
        for (const std::string_view family : language.fonts)
            families << QString::fromUtf8(family.data(), static_cast<qsizetype>(family.size()));
    }
    families << ofDesktop;
    QFont font = QApplication::font();
    if (font.families() == families)
        return;
    font.setFamilies(families);
    QApplication::setFont(font);
}

} // namespace

QString languageOfSettings()
{
    return QSettings().value("language").toString();
}

void setLanguageOfSettings(const QString& key)
{
    QSettings().setValue("language", key);
}

void chooseLanguageForThisRun(const QString& key)
{
    languageOfThisRun() = key;
}

const Language& chosenLanguage()
{
    for (const QString& key : {languageOfThisRun(), languageOfSettings()}) {
        if (const Language* const wanted = findLanguage(key.toStdString()))
            return *wanted;
    }
    const QStringList names = QLocale::system().uiLanguages();
    return languageOfLocale(names.isEmpty() ? std::string() : names.front().toStdString());
}

void applyLanguage()
{
    static std::vector<std::unique_ptr<QTranslator>> installed; // they take themselves away
    installed.clear();
    initCatalogues();
    const Language& chosen = chosenLanguage();
    setLanguage(chosen);
    preferFontsOf(chosen);
    // Dates and numbers as in the language; where the desktop speaks it, as the desktop has them.
    const QString key = QString::fromUtf8(chosen.key.data(), static_cast<qsizetype>(chosen.key.size()));
    const bool isOfDesktop = &languageOfLocale(QLocale::system().name().toStdString()) == &chosen;
    QLocale::setDefault(isOfDesktop ? QLocale::system() : QLocale(key));
    const auto install
        = [](std::unique_ptr<QTranslator> translator, const QString& name, const QString& folder) {
              if (translator->load(name, folder)) {
                  QCoreApplication::installTranslator(translator.get());
                  installed.push_back(std::move(translator));
              }
          };
    install(std::make_unique<QTranslator>(), "qtbase_" + key, ":/languages"); // Qt's own texts
    install(std::make_unique<Catalogue>(), "warpline_" + key, ":/languages");
}

} // namespace warpline
