package dev.keelson.cel.compile;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.RuntimeHelpers;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Literals that can never be evaluated: wrong regular expressions, durations and time stamps, and
 * lists and maps of mixed types (source: cel-go's AST validators, which Kubernetes enables since
 * 1.29).
 */
final class LiteralCheck {

  private LiteralCheck() {}

  /** The wrong literals of an expression. */
  static List<CelIssue> issues(CelAbstractSyntaxTree tree) {
    List<CelIssue> issues = new ArrayList<>();
    CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes()
        .forEach(
            node -> {
              switch (node.expr().getKind()) {
                case CALL -> check(node.expr().call(), tree, issues);
                case LIST -> homogeneous(node, node.expr().list().elements(), tree, issues);
                case MAP -> {
                  List<CelExpr.CelMap.Entry> entries = node.expr().map().entries();
                  homogeneous(
                      node, entries.stream().map(CelExpr.CelMap.Entry::key).toList(), tree, issues);
                  homogeneous(
                      node,
                      entries.stream().map(CelExpr.CelMap.Entry::value).toList(),
                      tree,
                      issues);
                }
                default -> {
                  // has no literal
                }
              }
            });
    return issues;
  }

  /** Elements of a literal have one type, but for the arguments of format. */
  private static void homogeneous(
      CelNavigableExpr literal,
      List<CelExpr> elements,
      CelAbstractSyntaxTree tree,
      List<CelIssue> issues) {
    CelType first = null;
    for (CelExpr element : elements) {
      CelType type = plain(tree.getType(element.id()).orElse(SimpleType.DYN));
      if (first == null) {
        first = type;
      } else if (!isAlike(first, type)) {
        if (!isArgumentOfFormat(literal)) {
          issues.add(
              issue(
                  element,
                  "expected type '"
                      + CelTypes.format(first)
                      + "' but found '"
                      + CelTypes.format(type)
                      + "'",
                  tree));
        }
        return;
      }
    }
  }

  /** An optional element counts as what it may have. */
  private static CelType plain(CelType type) {
    return type instanceof OptionalType optional ? optional.parameters().getFirst() : type;
  }

  private static boolean isAlike(CelType one, CelType other) {
    return one.equals(other) || one.isAssignableFrom(other) || other.isAssignableFrom(one);
  }

  private static boolean isArgumentOfFormat(CelNavigableExpr literal) {
    Optional<CelNavigableExpr> parent = literal.parent();
    while (parent.isPresent()) {
      CelExpr above = parent.get().expr();
      if (above.getKind() == CelExpr.ExprKind.Kind.CALL
          && above.call().function().equals("format")) {
        return true;
      }
      parent = parent.get().parent();
    }
    return false;
  }

  private static void check(CelCall call, CelAbstractSyntaxTree tree, List<CelIssue> issues) {
    boolean matches = call.function().equals("matches");
    boolean time = call.function().equals("timestamp") || call.function().equals("duration");
    if (!(matches || time) || call.args().isEmpty()) {
      return;
    }
    CelExpr argument = call.args().getLast();
    if (text(argument).filter(text -> !isValid(call.function(), text)).isPresent()) {
      issues.add(issue(argument, "invalid " + call.function() + " argument", tree));
    }
  }

  private static CelIssue issue(CelExpr at, String message, CelAbstractSyntaxTree tree) {
    CelSourceLocation place =
        Optional.ofNullable(tree.getSource().getPositionsMap().get(at.id()))
            .flatMap(offset -> tree.getSource().getOffsetLocation(offset))
            .orElse(CelSourceLocation.NONE);
    return CelIssue.formatError(at.id(), place, message);
  }

  private static Optional<String> text(CelExpr expression) {
    return expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
            && expression.constant().getKind() == CelConstant.Kind.STRING_VALUE
        ? Optional.of(expression.constant().stringValue())
        : Optional.empty();
  }

  private static boolean isValid(String function, String text) {
    try {
      return switch (function) {
        case "matches" -> Pattern.compile(text) != null;
        case "duration" -> RuntimeHelpers.createJavaDurationFromString(text) != null;
        default -> OffsetDateTime.parse(text) != null;
      };
    } catch (PatternSyntaxException | DateTimeException | IllegalArgumentException no) {
      return false;
    }
  }
}
