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
    Q_INIT_RESOURCE(languages); // resources of a static library; must be called outside of namespaces
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

QString wantedLanguage()
{
    const QString& ofThisRun = languageOfThisRun();
    return ofThisRun.isEmpty() ? QSettings().value("language").toString() : ofThisRun;
}

void storeLanguage(const QString& key)
{
    QSettings().setValue("language", key);
    languageOfThisRun().clear();
}

void chooseLanguageForThisRun(const QString& key)
{
    languageOfThisRun() = key;
}

const Language& chosenLanguage()
{
    if (const Language* const wanted = findLanguage(wantedLanguage().toStdString()))
        return *wanted;
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
