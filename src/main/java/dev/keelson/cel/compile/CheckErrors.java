package dev.keelson.cel.compile;

import dev.cel.common.CelIssue;
import dev.cel.common.CelSource;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import java.util.Collection;
import java.util.regex.Pattern;

/** The checker's errors in cel-go's words, where those of the library differ. */
final class CheckErrors {

  /** What the library adds to a call that no overload takes. */
  private static final Pattern CANDIDATES =
      Pattern.compile(" \\(candidates: .*\\)$", Pattern.DOTALL);

  /** How messages that name types begin. */
  private static final Pattern OF_TYPES =
      Pattern.compile("(found no matching overload|expected type|type ').*", Pattern.DOTALL);

  /** Follows the error about an unknown type of a literal, once for each of its fields. */
  private static final String OF_UNKNOWN_TYPE = "Message type resolution failure";

  private CheckErrors() {}

  /** The errors of a checked expression. */
  static String text(CelValidationResult checked, CelSource source) {
    return text(checked.getErrors(), source);
  }

  /** Errors as they are shown. */
  static String text(Collection<CelIssue> issues, CelSource source) {
    return CelIssue.toDisplayString(
        issues.stream()
            .filter(issue -> !issue.getMessage().startsWith(OF_UNKNOWN_TYPE))
            .map(CheckErrors::inGoWords)
            .toList(),
        source);
  }

  private static CelIssue inGoWords(CelIssue issue) {
    String message = CANDIDATES.matcher(issue.getMessage()).replaceFirst("");
    return CelIssue.formatError(
        issue.getExprId(),
        issue.getSourceLocation(),
        OF_TYPES.matcher(message).matches() ? inGoNames(message) : message);
  }

  private static String inGoNames(String message) {
    return message
        .replace("google.protobuf.Timestamp", "timestamp")
        .replace("google.protobuf.Duration", "duration");
  }

  /** A type as messages show it. */
  static String shown(CelType type) {
    return inGoNames(CelTypes.format(type));
  }
}
