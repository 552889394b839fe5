#include "edit/rules.h"

#include <regex.h>

#include <array>
#include <cerrno>
#include <new>

#include "source/report.h"

namespace onnxc::edit {

struct Rules::Expression {
  regex_t compiled{};
  bool is_compiled = false;

  Expression() = default;
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
  ~Expression() {
    if (is_compiled) ::regfree(&compiled);
  }
};

namespace {

using Match = std::array<regmatch_t, 10>;

/// Appends the replacement of a match as in sed: `\1` and `&` insert the matched text, and any other character after
/// `\` represents itself.
void AppendReplacement(std::string_view replacement, const char* text, const Match& match, std::string* name) {
  const auto append = [&](std::size_t group) {
    const regmatch_t& part = match[group];
    if (part.rm_so >= 0) name->append(text + part.rm_so, text + part.rm_eo);
  };
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    if (replacement[i] == '&') {
      append(0);
    } else if (replacement[i] != '\\' || i + 1 == replacement.size()) {
      *name += replacement[i];
    } else if (const char next = replacement[++i]; next >= '0' && next <= '9') {
      append(static_cast<std::size_t>(next - '0'));
    } else {
      *name += next;
    }
  }
}

/// Returns whether the expression matches in the text. glibc reports every error as REG_NOMATCH, so only `errno` tells
/// that memory ran out.
bool IsMatch(const regex_t& expression, const char* text, int flags, Match* match) {
  errno = 0;
  const int error = ::regexec(&expression, text, match->size(), match->data(), flags);
  if (error == REG_ESPACE || (error != 0 && errno == ENOMEM)) throw std::bad_alloc();
  return error == 0;
}

// Each call of regexec() measures the rest of the name. So in a long name, only a limited number of matches is
// replaced.
constexpr std::size_t kLongName = 65536;
constexpr std::size_t kMostMatches = 1000;

/// Replaces each match in the name by `by`. Returns nothing if there is no match.
std::optional<Rules::Answer> ReplaceAll(const regex_t& expression, const std::string& name, std::string_view by) {
  std::size_t matches = 0;
  std::string replaced;
  Match match{};
  const char* rest = name.c_str();
  while (IsMatch(expression, rest, rest == name.c_str() ? 0 : REG_NOTBOL, &match)) {
    if (++matches > kMostMatches && name.size() > kLongName) {
      return Rules::Answer{
          .name = {},
          .error = fmt::format("the expression matches more than {} times in a name of more than {} bytes",
                               kMostMatches, kLongName)};
    }
    replaced.append(rest, rest + match[0].rm_so);
    AppendReplacement(by, rest, match, &replaced);
    rest += match[0].rm_eo;
    if (match[0].rm_eo == match[0].rm_so) {  // an empty match: the next one begins one character later
      if (*rest == '\0') break;
      replaced += *rest++;
    }
    if (*rest == '\0') break;
  }
  if (matches == 0) return std::nullopt;
  return Rules::Answer{.name = replaced.append(rest)};
}

}  // namespace

Rules::Rules(const RenameOptions& options, Diagnostics* found) : options_(options) {
  for (std::size_t i = 0; i < options.rules.size(); ++i) {
    const RenameRule& rule = options.rules[i];
    if (!options.regex) {
      exact_.try_emplace(rule.from, i);
      continue;
    }
    Expression& expression = *expressions_.emplace_back(std::make_unique<Expression>());
    const int error = ::regcomp(&expression.compiled, rule.from.c_str(), REG_EXTENDED);
    expression.is_compiled = error == 0;
    if (error == 0) continue;
    if (error == REG_ESPACE) throw std::bad_alloc();
    std::array<char, 200> words{};
    ::regerror(error, &expression.compiled, words.data(), words.size());
    found->Add(MakeDiagnostic(DiagnosticKind::kUnknownName, Severity::kError, kNowhere,
                              fmt::format("'{}' is not a regular expression: {}", Quoted(rule.from), words.data())));
  }
}

Rules::~Rules() = default;

std::optional<Rules::Answer> Rules::NewName(std::string_view name) const {
  if (!options_.regex) {
    const auto found = exact_.find(name);
    if (found == exact_.end()) return std::nullopt;
    return Answer{found->second, options_.rules[found->second].to};
  }
  // regexec() would read only the part before a zero byte.
  if (name.find('\0') != std::string_view::npos) return std::nullopt;
  const std::string text(name);
  for (std::size_t i = 0; i < expressions_.size(); ++i) {
    if (auto answer = ReplaceAll(expressions_[i]->compiled, text, options_.rules[i].to)) {
      answer->rule = i;
      return answer;
    }
  }
  return std::nullopt;
}

bool Rules::Matches(std::size_t rule, const std::string& name) const {
  Match match{};
  return IsMatch(expressions_[rule]->compiled, name.c_str(), 0, &match);
}

}  // namespace onnxc::edit
