package dev.keelson.cel.compile;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The checker's errors in cel-go's words, where those of the library differ. */
final class CheckErrors {

  /** What the library adds to a call that no overload takes. */
  private static final Pattern CANDIDATES =
      Pattern.compile(" \\(candidates: .*\\)$", Pattern.DOTALL);

  /** How messages that name types begin. */
  private static final Pattern OF_TYPES =
      Pattern.compile("(found no matching overload|expected type|type ').*", Pattern.DOTALL);

  /** About {@code &&} and {@code ||}: cel-go names each operand that is no bool. */
  private static final Pattern OF_LOGIC =
      Pattern.compile(
          "found no matching overload for '_(?:&&|\\|\\|)_' applied to '\\((.*)\\)'",
          Pattern.DOTALL);

  /** The types that operands of {@code &&} and {@code ||} may have. */
  private static final Set<String> CONDITIONS = Set.of("bool", "dyn", "any", "*error*");

  /** Follows the error about an unknown type of a literal, once for each of its fields. */
  private static final String OF_UNKNOWN_TYPE = "Message type resolution failure";

  private CheckErrors() {}

  /** Errors of an expression as they are shown. */
  static String text(Collection<CelIssue> issues, CelAbstractSyntaxTree tree) {
    List<CelIssue> shown = new ArrayList<>();
    for (CelIssue issue : issues) {
      if (issue.getMessage().startsWith(OF_UNKNOWN_TYPE)) {
        continue;
      }
      String message = CANDIDATES.matcher(issue.getMessage()).replaceFirst("");
      Matcher logic = OF_LOGIC.matcher(message);
      List<CelIssue> operands =
          logic.matches() ? operands(issue, types(logic.group(1)), tree) : List.of();
      if (operands.isEmpty()) {
        shown.add(
            CelIssue.formatError(
                issue.getExprId(),
                issue.getSourceLocation(),
                OF_TYPES.matcher(message).matches() ? inGoNames(message) : message));
      }
      shown.addAll(operands);
    }
    return CelIssue.toDisplayString(shown, tree.getSource());
  }

  /** An error for each operand of a logical operator that is no condition. */
  private static List<CelIssue> operands(
      CelIssue issue, List<String> types, CelAbstractSyntaxTree tree) {
    List<CelExpr> operands =
        CelNavigableAst.fromAst(tree)
            .getRoot()
            .allNodes()
            .map(node -> node.expr())
            .filter(part -> part.id() == issue.getExprId())
            .filter(part -> part.getKind() == ExprKind.Kind.CALL)
            .findFirst()
            .map(call -> List.copyOf(call.call().args()))
            .orElse(List.of());
    List<CelIssue> found = new ArrayList<>();
    for (int i = 0; i < Math.min(operands.size(), types.size()); i++) {
      if (!CONDITIONS.contains(types.get(i))) {
        found.add(
            CelIssue.formatError(
                operands.get(i).id(),
                place(operands.get(i), tree.getSource()),
                "expected type 'bool' but found '" + inGoNames(types.get(i)) + "'"));
      }
    }
    return found;
  }

  /** Where a part of an expression is. */
  static CelSourceLocation place(CelExpr part, CelSource source) {
    return Optional.ofNullable(source.getPositionsMap().get(part.id()))
        .flatMap(source::getOffsetLocation)
        .orElse(CelSourceLocation.NONE);
  }

  /** The types of a list such as {@code int, map(string, int)}. */
  private static List<String> types(String list) {
    List<String> types = new ArrayList<>();
    int depth = 0;
    int begin = 0;
    for (int i = 0; i < list.length(); i++) {
      char letter = list.charAt(i);
      depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
      if (letter == ',' && depth == 0) {
        types.add(list.substring(begin, i).strip());
        begin = i + 1;
      }
    }
    types.add(list.substring(begin).strip());
    return types;
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
