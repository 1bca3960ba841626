package dev.keelson.cel.compile;

import dev.cel.common.CelIssue;
import dev.cel.common.CelSource;
import dev.cel.common.CelValidationResult;
import java.util.List;
import java.util.regex.Pattern;

/** The parser's errors in cel-go's words, where those of the library differ. */
final class SyntaxErrors {

  /** How the grammar's own messages begin; the others are about macros and literals. */
  private static final Pattern OF_GRAMMAR =
      Pattern.compile(
          "(mismatched input|no viable alternative|extraneous input|missing .* at"
              + "|token recognition error).*",
          Pattern.DOTALL);

  /** The error of an expression that is nested too deeply. */
  static final String TOO_DEEP = "ERROR: <input>:-1:0: max recursion depth exceeded";

  private SyntaxErrors() {}

  static String text(CelValidationResult parsed, String expression) {
    List<CelIssue> issues = parsed.getErrors();
    if (issues.stream().anyMatch(issue -> issue.getMessage().contains("recursion limit"))) {
      return TOO_DEEP;
    }
    return CelIssue.toDisplayString(
        issues.stream().map(SyntaxErrors::inGoWords).toList(),
        CelSource.newBuilder(expression).setDescription("<input>").build());
  }

  private static CelIssue inGoWords(CelIssue issue) {
    String message = issue.getMessage();
    return OF_GRAMMAR.matcher(message).matches()
        ? CelIssue.formatError(
            issue.getSourceLocation(), "Syntax error: " + message.replace("%%", "%"))
        : issue;
  }
}
