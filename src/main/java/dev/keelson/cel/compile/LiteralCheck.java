package dev.keelson.cel.compile;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.Times;
import dev.keelson.value.GoDuration;
import dev.keelson.value.ValueFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Literals that can never be evaluated: wrong regular expressions, durations and time stamps, lists
 * and maps of mixed types, and texts with other arguments than they format (source: cel-go's AST
 * validators, which Kubernetes enables since 1.29).
 */
final class LiteralCheck {

  private final CelAbstractSyntaxTree tree;
  private final List<CelIssue> issues = new ArrayList<>();

  private LiteralCheck(CelAbstractSyntaxTree tree) {
    this.tree = tree;
  }

  /** The wrong literals of an expression. */
  static List<CelIssue> issues(CelAbstractSyntaxTree tree) {
    LiteralCheck check = new LiteralCheck(tree);
    check.visit(tree.getExpr(), false);
    return check.issues;
  }

  /**
   * Checks a part of the expression.
   *
   * @param formatted whether it is an argument of format, whose literals may have several types
   */
  private void visit(CelExpr part, boolean formatted) {
    switch (part.getKind()) {
      case CALL -> {
        CelCall call = part.call();
        check(call);
        FormatCheck.problem(tree, part).ifPresent(found -> issue(found.at(), found.message()));
        boolean below = formatted || call.function().equals("format");
        call.target().ifPresent(target -> visit(target, below));
        visitAll(call.args(), below);
      }
      case LIST -> {
        homogeneous(part.list().elements(), formatted);
        visitAll(part.list().elements(), formatted);
      }
      case MAP -> {
        List<CelExpr.CelMap.Entry> entries = part.map().entries();
        List<CelExpr> keys = entries.stream().map(CelExpr.CelMap.Entry::key).toList();
        List<CelExpr> values = entries.stream().map(CelExpr.CelMap.Entry::value).toList();
        homogeneous(keys, formatted);
        homogeneous(values, formatted);
        visitAll(keys, formatted);
        visitAll(values, formatted);
      }
      case SELECT -> visit(part.select().operand(), formatted);
      case STRUCT -> part.struct().entries().forEach(entry -> visit(entry.value(), formatted));
      case COMPREHENSION -> {
        CelExpr.CelComprehension loop = part.comprehension();
        visit(loop.iterRange(), formatted);
        visit(loop.accuInit(), formatted);
        visit(loop.loopCondition(), formatted);
        visit(loop.loopStep(), formatted);
        visit(loop.result(), formatted);
      }
      case CONSTANT -> {
        // the parser makes infinity of a number that is too large
        if (part.constant().getKind() == CelConstant.Kind.DOUBLE_VALUE
            && Double.isInfinite(part.constant().doubleValue())) {
          issue(part, "invalid double literal");
        }
      }
      case IDENT, NOT_SET -> {
        // has no literal
      }
    }
  }

  private void visitAll(List<CelExpr> parts, boolean formatted) {
    for (CelExpr part : parts) {
      visit(part, formatted);
    }
  }

  /** Elements of a literal have one type, but for the arguments of format. */
  private void homogeneous(List<CelExpr> elements, boolean formatted) {
    CelType first = null;
    for (CelExpr element : elements) {
      CelType type = plain(tree.getType(element.id()).orElse(SimpleType.DYN));
      if (first == null) {
        first = type;
      } else if (!isAlike(first, type)) {
        if (!formatted) {
          issue(
              element,
              "expected type '"
                  + CheckErrors.shown(first)
                  + "' but found '"
                  + CheckErrors.shown(type)
                  + "'");
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

  private void check(CelCall call) {
    boolean matches = call.function().equals("matches");
    boolean time = call.function().equals("timestamp") || call.function().equals("duration");
    if (!(matches || time) || call.args().isEmpty()) {
      return;
    }
    CelExpr argument = call.args().getLast();
    if (text(argument).filter(text -> !isValid(call.function(), text)).isPresent()) {
      issue(argument, "invalid " + call.function() + " argument");
    }
  }

  private void issue(CelExpr at, String message) {
    issues.add(CelIssue.formatError(at.id(), CheckErrors.place(at, tree.getSource()), message));
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
        case "duration" -> GoDuration.isDuration(text);
        default -> Times.parse(text) != null;
      };
    } catch (PatternSyntaxException | ValueFormatException | EvaluationError no) {
      return false;
    }
  }
}
