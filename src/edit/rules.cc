#include "edit/rules.h"

#include <regex.h>

#include <array>

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

/// Returns the name with each match replaced, or nothing if there is no match.
std::optional<std::string> ReplaceAll(const regex_t& expression, const std::string& name, std::string_view by) {
  std::optional<std::string> replaced;
  Match match{};
  const char* rest = name.c_str();
  while (::regexec(&expression, rest, match.size(), match.data(), rest == name.c_str() ? 0 : REG_NOTBOL) == 0) {
    if (!replaced) replaced.emplace();
    replaced->append(rest, rest + match[0].rm_so);
    AppendReplacement(by, rest, match, &*replaced);
    rest += match[0].rm_eo;
    if (match[0].rm_eo == match[0].rm_so) {  // an empty match: the next one begins one character later
      if (*rest == '\0') break;
      *replaced += *rest++;
    }
    if (*rest == '\0') break;
  }
  if (replaced) replaced->append(rest);
  return replaced;
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
  if (name.find('\0') != std::string_view::npos)
    return std::nullopt;  // regexec() would read only the part before the
                          // zero byte
  const std::string text(name);
  for (std::size_t i = 0; i < expressions_.size(); ++i) {
    if (auto replaced = ReplaceAll(expressions_[i]->compiled, text, options_.rules[i].to)) {
      return Answer{i, *std::move(replaced)};
    }
  }
  return std::nullopt;
}

bool Rules::Matches(std::size_t rule, const std::string& name) const {
  return ::regexec(&expressions_[rule]->compiled, name.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace onnxc::edit
