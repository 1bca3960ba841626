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

  /** The messages of Java's number parsers. */
  private static final Pattern OF_NUMBERS =
      Pattern.compile("(For input string: |String value ).*", Pattern.DOTALL);

  private static final String NO_NAME = "The argument must be a simple name";

  /** The macros whose first argument Go calls an identifier. */
  private static final Pattern NAMING =
      Pattern.compile(".*\\.\\s*(map|filter)\\s*\\([^(),]*", Pattern.DOTALL);

  private static final Pattern UNSIGNED = Pattern.compile("-?\\w+[uU]");

  /** The error of an expression that is nested too deeply. */
  static final String TOO_DEEP = "ERROR: <input>:-1:0: max recursion depth exceeded";

  private SyntaxErrors() {}

  static String text(CelValidationResult parsed, String expression) {
    List<CelIssue> issues = parsed.getErrors();
    if (issues.stream().anyMatch(issue -> issue.getMessage().contains("recursion limit"))) {
      return TOO_DEEP;
    }
    return CelIssue.toDisplayString(
        issues.stream().map(issue -> inGoWords(issue, expression)).toList(),
        CelSource.newBuilder(expression).setDescription("<input>").build());
  }

  private static CelIssue inGoWords(CelIssue issue, String expression) {
    String message = issue.getMessage();
    if (OF_GRAMMAR.matcher(message).matches()) {
      return worded(issue, "Syntax error: " + message.replace("%%", "%"));
    }
    if (OF_NUMBERS.matcher(message).matches()) {
      boolean unsigned =
          UNSIGNED.matcher(expression.substring(offset(issue, expression))).lookingAt();
      return worded(issue, unsigned ? "invalid uint literal" : "invalid int literal");
    }
    if (message.equals(NO_NAME)) {
      boolean naming = NAMING.matcher(expression.substring(0, offset(issue, expression))).matches();
      return worded(
          issue, naming ? "argument is not an identifier" : "argument must be a simple name");
    }
    return issue;
  }

  private static CelIssue worded(CelIssue issue, String message) {
    return CelIssue.formatError(issue.getSourceLocation(), message);
  }

  /** Where an issue is in the expression. */
  private static int offset(CelIssue issue, String expression) {
    int line = 0;
    for (int i = 1; i < issue.getSourceLocation().getLine(); i++) {
      line = expression.indexOf('\n', line) + 1;
    }
    int codePoints = expression.codePointCount(line, expression.length());
    return expression.offsetByCodePoints(
        line, Math.clamp(issue.getSourceLocation().getColumn(), 0, codePoints));
  }
}
