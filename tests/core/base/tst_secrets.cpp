// Credentials are told by the names of variables and options; their values are not kept.

#include "core/base/secrets.h"

#include <QTest>

using namespace warpline;

class TestSecrets : public QObject {
    Q_OBJECT
private slots:
    void names();
    void variables();
    void arguments();
};

void TestSecrets::names()
{
    for (const char* const name :
        {"HF_TOKEN", "--api-key", "db_password", "GITHUB_PAT", "AWS_SECRET_ACCESS_KEY"})
        QVERIFY2(looksSecret(name), name);
    for (const char* const name : {"PATH", "LD_LIBRARY_PATH", "HF_TOKEN_PATH", "--max-tokens",
             "--max-new-tokens", "TOKENIZERS_PARALLELISM", "--tokenizer", "--num-tokens", ""})
        QVERIFY2(!looksSecret(name), name);
}

void TestSecrets::variables()
{
    QCOMPARE(namesOfVariables("HF_TOKEN=abc"), std::string("HF_TOKEN=..."));
    QCOMPARE(namesOfVariables("RANK=3\nWORLD_SIZE=16\nHOME=/home/anna"),
        std::string("RANK=3\nWORLD_SIZE=16\nHOME=..."));
    QCOMPARE(namesOfVariables("A=first=second==;B=two words"), std::string("A=...\nB=..."));
    QCOMPARE(namesOfVariables("PIN=1234567"), std::string("PIN=..."));
    QCOMPARE(namesOfVariables("X=<scrubbed>"), std::string("X=<...>"));
    QCOMPARE(namesOfVariables("X="), std::string("X="));
    QCOMPARE(namesOfVariables("no assignment"), std::string());
}

void TestSecrets::arguments()
{
    std::vector<std::string> words{"--password=a b", "--token", "abc", "--lr", "0.1", "HF_TOKEN=abc",
        "--tokens=512", "--api-key", "--lr", "https://anna:pw@host/x@y", "https://host/a@b", "--max-tokens=7",
        "--secret-file=/x"};
    std::vector<std::string*> pointers;
    for (std::string& word : words)
        pointers.push_back(&word);
    hideCredentials(pointers);
    const std::vector<std::string> expected{"--password=...", "--token", "...", "--lr", "0.1", "HF_TOKEN=...",
        "--tokens=512", "--api-key", "--lr", "https://...@host/x@y", "https://host/a@b", "--max-tokens=7",
        "--secret-file=/x"};
    QCOMPARE(words, expected);
}

QTEST_APPLESS_MAIN(TestSecrets)
#include "tst_secrets.moc"
