#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

/// Replaces a value that is hidden.
inline constexpr std::string_view hiddenValue = "...";

/// Whether a variable or an option with this name holds a credential: "HF_TOKEN", "--api-key", "GITHUB_PAT".
bool looksSecret(std::string_view name);

/// Whether `value` is no word, switch or number that names hold, too, as in GIT_CREDENTIAL_HELPER=manager.
bool isUnlikeWords(std::string_view value);

/// Whether `value` is a number of up to six digits: a rank, a switch, a size.
bool isSmallNumber(std::string_view value);

/// The assignments in `text` (an environment, or a variable of it), one per line: "HF_TOKEN=...". Numbers of
/// up to six digits keep their value: ranks and switches. A value that was blanked ("<scrubbed>", "***")
/// becomes "<...>".
std::string namesOfVariables(std::string_view text);

/// `text` with credentials hidden, known by the names before them: "api_key=...", {"password": "..."}, or as
/// tokens of known services: "hf_...". Values of less than six letters, and numbers of up to six digits,
/// stay. Behind a plain "token" so do values without 16 letters and digits in a row, unless both have quotes:
/// "token: step_12", but {"token": "..."}. Hiding again hides no more. Nothing: `text` has none. `hidden`:
/// what is hidden is added there.
std::optional<std::string> withoutCredentials(
    std::string_view text, std::vector<std::string>* hidden = nullptr);

/// The places of those credentials in `text`, in their order, but not of those that need others hidden first.
std::vector<std::string_view> credentialsIn(std::string_view text);

/// Hides credentials in the arguments of a program: "--token=...", "--token" "...", "https://...@host".
/// Returns them.
std::vector<std::string> hideCredentials(std::vector<std::string*>& arguments);

/// Whether the fact of a recording with the name `fact` is an environment, or a variable of it.
bool holdsVariables(std::string_view fact);
/// Hides in facts of a recording (name and value) what may be secret: values of environments, and
/// credentials, also in programs' arguments and as the value of a fact with such a name, unless it is a
/// switch or a count of tokens. Returns the credentials.
std::vector<std::string> hideSecrets(std::vector<std::pair<std::string, std::string>>& facts);

} // namespace warpline
