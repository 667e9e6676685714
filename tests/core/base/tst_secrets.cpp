// Credentials are detected by the names of variables and options; their values are not kept.

#include "core/base/secrets.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>
#include <set>

namespace tst_secrets {

using namespace warpline;

class TestSecrets : public QObject {
    Q_OBJECT
private slots:
    void names();
    void variables();
    void arguments();
    void facts();
    void countsAndSwitchesStay();
    void texts_data();
    void texts();
    void twice();
    void longTexts();
};

void TestSecrets::names()
{
    for (const char* const name : {"HF_TOKEN", "--api-key", "db_password", "GITHUB_PAT",
             "AWS_SECRET_ACCESS_KEY", "MYSQL_PWD", "TOKENIZER_API_KEY", "--max-token-secret"})
        QVERIFY2(looksSecret(name), name);
    for (const char* const name : {"PATH", "OLDPWD", "--pwd", "LD_LIBRARY_PATH", "HF_TOKEN_PATH",
             "--max-tokens", "--max-new-tokens", "TOKENIZERS_PARALLELISM", "--tokenizer", "--num-tokens", ""})
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
    const std::vector<std::string> hidden = hideCredentials(pointers);
    QCOMPARE(hidden, (std::vector<std::string>{"a b", "abc", "abc", "anna:pw"}));
    const std::vector<std::string> expected{"--password=...", "--token", "...", "--lr", "0.1", "HF_TOKEN=...",
        "--tokens=512", "--api-key", "--lr", "https://...@host/x@y", "https://host/a@b", "--max-tokens=7",
        "--secret-file=/x"};
    QCOMPARE(words, expected);
}

/// Of environments and arguments, also of two programs.
void TestSecrets::facts()
{
    std::vector<std::pair<std::string, std::string>> facts{
        {"PROCESS_0:ENVIRONMENT_VARIABLE", "HF_TOKEN=abc1defg"},
        {"DeviceEnvironment", "SHELL=/bin/sh\nMY_TOKEN=abc2defg\nURL=ftp://anna:abc3defg@host/"},
        {"PROCESS_0:ARGUMENT_2", "abc4defg"}, {"PROCESS_1:ARGUMENT_2", "--lr"},
        {"PROCESS_0:ARGUMENT_1", "--password"}, {"PROCESS_1:ARGUMENT_1", "--api-key=abc5defg"},
        {"COMMAND", "curl ftp://anna:abc6defg@host/"}, {"api_key", "abc7defg"}, {"tokens", "512"}};
    const std::vector<std::string> hidden = hideSecrets(facts);
    QCOMPARE(std::set<std::string>(hidden.begin(), hidden.end()),
        (std::set<std::string>{
            "abc1defg", "abc2defg", "anna:abc3defg", "abc4defg", "abc5defg", "anna:abc6defg", "abc7defg"}));
    QCOMPARE(facts[1].second, std::string("SHELL=...\nMY_TOKEN=...\nURL=..."));
    QCOMPARE(facts[2].second, std::string("..."));
    QCOMPARE(facts[3].second, std::string("--lr"));
    QCOMPARE(facts[5].second, std::string("--api-key=..."));
    QCOMPARE(facts[6].second, std::string("curl ftp://...@host/"));
    QCOMPARE(facts[7].second, std::string("..."));
    QCOMPARE(facts[8].second, std::string("512"));
    QVERIFY(holdsVariables("PROCESS_0:ENVIRONMENT_VARIABLE") && !holdsVariables("PROCESS_0:ARGUMENT_1"));
}

/// Numbers of any length in names of tokens, and switches.
void TestSecrets::countsAndSwitchesStay()
{
    std::vector<std::pair<std::string, std::string>> facts{{"tokens_per_second", "15234.7"},
        {"total_tokens", "12345678"}, {"secret_sharing", "true"}, {"use_token", "false"}};
    const auto before = facts;
    QVERIFY(hideSecrets(facts).empty());
    QCOMPARE(facts, before);
    facts = {{"api_tokens", "1234567x"}, {"api_key", "12345678"}, {"secret_sharing", "truest"}};
    QCOMPARE(hideSecrets(facts).size(), std::size_t{3});
}

void TestSecrets::texts_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const QByteArray& text, const QByteArray& shown) {
        QTest::newRow(text.constData()) << text << shown;
    };
    row("login hub_token=hf_abcd3fgh, step 3", "login hub_token=..., step 3");
    row(R"({"user": "anna", "password": "two words", "n": 3})",
        R"({"user": "anna", "password": "...", "n": 3})");
    row(R"({"api_key":"with \" quote","x":1})", R"({"api_key":"...","x":1})");
    row(R"({"args": "{\"api_key\": \"two \\n words\", \"n\": 3}"})",
        R"({"args": "{\"api_key\": \"...\", \"n\": 3}"})");
    row(R"("{\\\"password\\\": \\\"abcdefgh\\\"}")", R"("{\\\"password\\\": \\\"...\\\"}")");
    row("Authorization: Bearer abcdefgh, next", "Authorization: Bearer ..., next");
    row("clone https://anna:pw@host/x@y and https://host/a@b",
        "clone https://...@host/x@y and https://host/a@b");
    row("API-KEY: abcdefgh; API-KEY: ijklmnop", "API-KEY: ...; API-KEY: ...");
    row("key = os.environ, hub_token = 'abcdef' )", "key = os.environ, hub_token = '...' )");
    row("Authorization: Token abcdefgh", "Authorization: Token ...");
    row(R"({"Authorization": "Bearer abcdefgh"})", R"({"Authorization": "Bearer ..."})");
    row("secret := abcd3fgh", "secret := ...");
    row(R"(environ["HF_TOKEN"]='abcdefgh')", R"(environ["HF_TOKEN"]='...')");
    row(R"(secrets: ["abcd3fgh", 'two words', "***", 'ijk4mn', short, 'x'], password=opqrst)",
        R"(secrets: ["...", 'two words', "***", '...', short, 'x'], password=...)");
    row("secrets=['abcdefgh', password='hunter2222']", "secrets=['...', password='...']");
    row("{\"tokens\": [\n  \"abcd3fgh\",\n  \"ijkl3nop\"\n]}", "{\"tokens\": [\n  \"...\",\n  \"...\"\n]}");
    row("token:[x password: abcdefgh", "token:[x password: ...");
    row("password=*abcdefgh", "password=...");
    row("token: abcdefghijklmnop", "token: ...");
    row("token=abcd-1, tokens='attention'", "token=..., tokens='...'");
    row("token=550e8400-e29b-41d4-a716-446655440000, x", "token=..., x");
    row("login token=hf_abcd3fgh, step 3", "login token=..., step 3");
    row("hub_token: prefill", "hub_token: ...");
    row("secret=b\"abcd3fgh\", {'password': rb'abcdefgh'}", "secret=b\"...\", {'password': rb'...'}");
    row("auth_token: Bearer abcd3fgh", "auth_token: Bearer ...");
    row("api_key=\"Bearer abcd3fgh\"", "api_key=\"...\"");
    row("password:\tabcdefgh", "password:\t...");
    row("secret:\n  abcd3fgh\nx: 1", "secret:\n  ...\nx: 1");
    row("secrets=('abcdefgh',), keys={'abcdefgh'}", "secrets=('...',), keys={'abcdefgh'}");
    row("secrets={'abcdefgh', \"ijklmnop\"}", "secrets={'...', \"...\"}");
    row(R"(credentials={"key": "abcd3fgh", "password": "two words", "kind": "service"}, "n": "abcd3fgh")",
        R"(credentials={"key": "...", "password": "...", "kind": "service"}, "n": "abcd3fgh")");
    row(R"(secrets={"value": "abcd3fgh", "password": hunter2222})",
        R"(secrets={"value": "...", "password": ...})");
    row("goto?next=%2Fa%3Fsecret%3Dabcd3fgh%26n%3D3&x=1", "goto?next=%2Fa%3Fsecret%3D...%26n%3D3&x=1");
    row("secret%3dabcd%2Fefgh done", "secret%3d... done");
    row("password=<abcd3fgh, x", "password=..., x");
    row(R"({"password": "<abcd3fgh", "n": "<x>"})", R"({"password": "...", "n": "<x>"})");
    row(R"(secrets: [["abcd3fgh", "x"], [['ijk4mn']]], user: ["annabell"])",
        R"(secrets: [["...", "x"], [['...']]], user: ["annabell"])");
    row(R"({"tokens": [["abcd3fgh"]], "user": "annabell"})", R"({"tokens": [["..."]], "user": "annabell"})");
    row(R"({"api_key": ["export API_TOKENS=['abc123def']"]})",
        R"({"api_key": ["export API_TOKENS=['...']"]})");
    row(R"({"api_key": [["abcdef123"], "see password=hunter2hunter2"]})",
        R"({"api_key": [["..."], "see password=..."]})");
    row(R"({"api_key": ["see password=hunter2hunter2", "abcdef123"]})",
        R"({"api_key": ["see password=...", "..."]})");
    row(R"({"token": "correcthorse", "tokens": ["prefill"]})", R"({"token": "...", "tokens": ["..."]})");
    row(R"({\"token\": \"correcthorse\"})", R"({\"token\": \"...\"})");
    row("AKIA" + QByteArray("BCDEFGHIJKLMNOPQ") + ".", "...."); // in two parts: no scanner's find
    // Tokens of known services, which need no name; put together, so that no scanner takes this file for a
    // leak.
    const QByteArray letters("aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789");
    for (const QByteArray& token : {"hf_" + letters.left(34), "ghp_" + letters,
             "github_pat_" + letters + "_" + letters, "glpat-" + letters.right(20),
             "nvapi-" + letters + "-" + letters, "sk-proj-" + letters + letters, "xoxb-" + letters + letters,
             "AKIA" + letters.left(16).toUpper().replace('O', '7').replace('A', '2'),
             "AIza" + letters.left(35), "eyJ" + letters + "." + letters + "." + letters}) {
        row("load(" + token + "), step 3", "load(...), step 3");
        row("x" + token, "x" + token);
        row("%3D" + token + "%26", "%3D...%26");
        row(R"("a\n)" + token, R"("a\n...)");
        row(token.left(18), token.left(18));
        row(token.toLower(), token.toLower());
    }
    row("hf_" + letters.left(33), "hf_" + letters.left(33));
    row("hf_" + letters.left(35), "hf_" + letters.left(35));
    row(R"(password="[Secret pass phrase99")", R"(password="...")");
    row(R"({"password": "[x]abcdefgh99"})", R"({"password": "..."})");
    row("password=[abcde]fghijk", "password=...]fghijk");
    row(R"({"tokens": ["abcd3fgh"], "user": "annabell"})", R"({"tokens": ["..."], "user": "annabell"})");
    row("login(secret=abcdefgh), next", "login(secret=...), next");
    row("password=ab)cdefgh", "password=...");
    row("password=abc(d)", "password=...");
    row("password=abcdefgh\r\nx", "password=...\r\nx");
    row(R"({\"password\": \"abcd\\\\\", \"n\": \"x\"})", R"({\"password\": \"...\", \"n\": \"x\"})");
    row(R"({\"credentials\": {\"key\": \"abcd3fgh\", \"kind\": \"service\"}})",
        R"({\"credentials\": {\"key\": \"...\", \"kind\": \"service\"}})");
    row(R"(credentials={"a": "x}y1234567", "b": "abcd3fgh"})", R"(credentials={"a": "...", "b": "..."})");
    row(R"({"password": "<abcdefgh"})", R"({"password": "..."})");
    row(R"({"password": "<abc>defgh"})", R"({"password": "..."})");
    row(R"({"password": "*** abcdefgh"})", R"({"password": "..."})");
    row("secret%3D%3Cabcdefgh", "secret%3D...");
    row("auth_token%3d<abc12def%26x > out", "auth_token%3d...%26x > out");
    row("password=%3Cabcdef%3E", "password=...");
    row("password=%3cabc9def%3e", "password=...");
    row("f(secret=Bearer 1234567)", "f(secret=Bearer ...)");
    for (const char* const same : {"grpc::AuthorizationPolicy: allowed", "authorization: required",
             "http://host?mail=anna:b@c", "docker://nvcr.io@sha256:abcdef", "tokens: 9259", "token=12",
             "token: the", "Token::merge<int>(token == other)", "tokenizer = AutoTokenizer.from_pretrained",
             "void gemm<a=1>(float*)", "password=<scrubbed>", "token=", "=", ":", "", "password=\"****\"",
             "token=***, x", "prefill[n_tokens]: attention_forward", "embedding[token] = hidden_states",
             "x[batch, tokens]: float16[8]", "token: \"\": permission denied",
             "token: <class 'transformers.Foo'>", "token=<Foo object at 0x7f0012345678>",
             "run/sk-Model-Training-Runs-Large-Scale-Experiment-2024-v2", "password=<abcdefgh",
             "tokens: [1, 22, 333]", "tokens[0] = abcdefgh", "token:[", "token:[,", "token:[[[",
             "token::=abcdefgh", "max_tokens=1000000000", "password=<password of 2024>, x",
             "password=<placeholder>", R"("token": "<3 letters>")", "tokens: [10240, 3]",
             "tokens: [[1024, 3]]", "100%3Denoised", "authorization%3Drequired", "tokens%3D512",
             "AKIABstractFactoryNam", "token: prefill", "Tokens: decode_finished", "token: 12345678",
             "X-Auth-Token: Bearer required", "credentials:\nTraceback (most recent call last)",
             "HF_TOKEN=\nMASTER_ADDR=10.0.0.1", R"(tokens: {"dtype": "float16"})", "tokens: (10240, 3)",
             "tokenizer_type=abcdefgh", "vault-secret://path/of/x", "secret=<lambda(int)#1>::operator()(int)",
             "token=<__main__.Token2 object at 0x7f3a>.value", "tokens:<1024us",
             "credentials={ gemm: \"ampere_sgemm_128x64_tn\"", "api_key%3D******", "api_key%3D******%26x",
             "api_key%3D<scrubbed>", "api_key%3D%3Cscrubbed%3E", "token: step_12", "tokens: 12/512",
             "token=1234.5", "tokens=[0.1234, 0.5678]", "tokens: torch.Size([1, 512])", "token: bf16_128x64",
             "Trainer(hub_token=False)", "auth_token%3d%3cscrubbed%3e", R"({\"password\": \"<scrubbed>\"})",
             "Authorization: Bearer <scrubbed>", "secret%3D\">a link</a>"})
        row(same, same);
}

void TestSecrets::texts()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    const auto hidden = withoutCredentials(text.toStdString());
    QCOMPARE(hidden.has_value(), text != shown);
    QCOMPARE(QByteArray::fromStdString(hidden.value_or(text.toStdString())), shown);
}

/// A hidden '>', blank, name or bracket shows no more: what is hidden is hidden at once.
void TestSecrets::twice()
{
    for (const auto& [text, shown] : {std::pair("token=<abc1def password=x>yyyyyy", "token=... password=..."),
             std::pair(R"(secrets: ["password='two words'"])", R"(secrets: ["..."])"),
             std::pair("secret=<a://b,c:d@h9", "secret=...")}) {
        const std::string once = withoutCredentials(text).value_or("");
        QCOMPARE(once, std::string(shown));
        QVERIFY(!withoutCredentials(once));
    }
    std::vector<std::string> hidden;
    QVERIFY(withoutCredentials("password=abcdefgh ftp://anna:pw@host", &hidden));
    QCOMPARE(hidden, (std::vector<std::string>{"abcdefgh", "anna:pw"}));
}

/// Each takes hours where a value is looked for again and again.
void TestSecrets::longTexts()
{
    constexpr std::size_t many = 1'000'000;
    const auto repeated = [](std::size_t count, const std::string& text) {
        std::string all;
        for (std::size_t i = 0; i < count; ++i)
            all += text;
        return all;
    };
    QVERIFY(!withoutCredentials(repeated(many, "authorization:")));
    const std::string escapes(many, '\\');
    QCOMPARE(withoutCredentials("token:" + escapes + "'" + repeated(5, escapes.substr(1) + "x")),
        std::optional("token:" + escapes + "'..."));
    std::string quotes;
    for (std::size_t i = 1; quotes.size() < 10 * many; ++i)
        quotes += "authorization:" + std::string(i, '\\') + "' ";
    QVERIFY(!withoutCredentials(quotes));
    for (const std::string begin : {"secret:\n", "token:", "secrets:[", "secrets:{k:"}) {
        std::string values; // each has a quote that no other one ends
        for (std::size_t i = 1; values.size() < many; ++i)
            values += begin + std::string(i, '\\') + "'<a> }";
        QVERIFY(withoutCredentials(values).value_or("").size() <= values.size());
    }
    QVERIFY(!withoutCredentials("token:" + repeated(many, "[,")));
    for (const char* const sign :
        {": ", "\":\"", "\"] :", ":=", "]=", "glpat-.", "eyJ-", "sk-_", "token:<", "token:[", "hf_\\n",
            "token%3D<", "token%3D", "%3D", "token:<1", "token:['", "token:[[\"a b\",", "tokens:[]",
            "secrets:{", "secrets:{'k':\"", "secrets:(", "token:\n", "secret:\n\\\"", "secret:\r",
            "secret:\n'a ", "token:b'", "token:bearer ", "\".tokens: [\"*\n", "\".tokens: [\"*,"})
        QVERIFY(withoutCredentials(repeated(many, sign)).value_or("").size()
            <= std::string_view(sign).size() * many);
    QVERIFY(!looksSecret(repeated(many, "tokenizer")));
    const std::string mixed = repeated(2000, "aB3");
    QCOMPARE(withoutCredentials("eyJ" + mixed + "." + mixed), std::optional<std::string>("..."));
}

WARPLINE_TEST(TestSecrets)

} // namespace tst_secrets

#include "tst_secrets.moc"
