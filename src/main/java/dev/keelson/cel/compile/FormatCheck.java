package dev.keelson.cel.compile;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.keelson.cel.library.FormatClauses;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks a call of {@code format} whose text and arguments are written out (source: cel-go's
 * ext/formatting.go, the validator that comes with the strings library).
 */
final class FormatCheck {

  private static final Set<CelKind> PRINTED =
      EnumSet.of(
          CelKind.LIST,
          CelKind.MAP,
          CelKind.INT,
          CelKind.UINT,
          CelKind.DOUBLE,
          CelKind.BOOL,
          CelKind.STRING,
          CelKind.TIMESTAMP,
          CelKind.BYTES,
          CelKind.DURATION,
          CelKind.TYPE,
          CelKind.NULL_TYPE);

  private final CelAbstractSyntaxTree tree;

  /** What a problem is with: the call, or the argument that a clause does not take. */
  private CelExpr wrong;

  private FormatCheck(CelAbstractSyntaxTree tree, CelExpr call) {
    this.tree = tree;
    this.wrong = call;
  }

  /** What is wrong with a call, and the part of the expression that is. */
  record Problem(CelExpr at, String message) {}

  /** The problem with a call; empty if there is none that can be told. */
  static Optional<Problem> problem(CelAbstractSyntaxTree tree, CelExpr expression) {
    CelCall call = expression.call();
    CelExpr target = call.target().orElse(null);
    if (!call.function().equals("format")
        || target == null
        || target.getKind() != CelExpr.ExprKind.Kind.CONSTANT
        || target.constant().getKind() != CelConstant.Kind.STRING_VALUE
        || call.args().size() != 1
        || call.args().getFirst().getKind() != CelExpr.ExprKind.Kind.LIST) {
      return Optional.empty();
    }
    List<CelExpr> arguments = call.args().getFirst().list().elements();
    FormatCheck check = new FormatCheck(tree, expression);
    try {
      int taken =
          FormatClauses.format(
                  target.constant().stringValue(),
                  arguments.size(),
                  (verb, argument, precision) -> check.checked(verb, arguments.get(argument)))
              .taken();
      return taken == arguments.size()
          ? Optional.empty()
          : Optional.of(
              new Problem(
                  expression,
                  "too many arguments supplied to string.format (expected "
                      + taken
                      + ", got "
                      + arguments.size()
                      + ")"));
    } catch (IllegalArgumentException e) {
      return Optional.of(new Problem(check.wrong, String.valueOf(e.getMessage())));
    }
  }

  private String checked(char verb, CelExpr argument) {
    CelExpr found =
        switch (verb) {
          case 's' -> unprintable(argument).orElse(null);
          case 'd', 'o' -> unless(argument, EnumSet.of(CelKind.INT, CelKind.UINT));
          // text may be one of the numbers that cannot be written as literals
          case 'f', 'e' -> unless(argument, EnumSet.of(CelKind.DOUBLE, CelKind.STRING));
          case 'b' -> unless(argument, EnumSet.of(CelKind.INT, CelKind.UINT, CelKind.BOOL));
          default ->
              unless(
                  argument, EnumSet.of(CelKind.INT, CelKind.UINT, CelKind.STRING, CelKind.BYTES));
        };
    if (found != null) {
      wrong = found;
      throw FormatClauses.wrongType(verb, type(found).name());
    }
    return "";
  }

  private CelType type(CelExpr part) {
    return tree.getType(part.id()).orElse(SimpleType.DYN);
  }

  private boolean isOneOf(CelExpr part, Set<CelKind> kinds) {
    CelType type = type(part);
    return type.equals(SimpleType.DYN) || kinds.contains(type.kind());
  }

  private @Nullable CelExpr unless(CelExpr argument, Set<CelKind> kinds) {
    return isOneOf(argument, kinds) ? null : argument;
  }

  /** The argument, or a part of it, that is not printed. */
  private Optional<CelExpr> unprintable(CelExpr argument) {
    if (!isOneOf(argument, PRINTED)) {
      return Optional.of(argument);
    }
    Stream<CelExpr> parts =
        switch (argument.getKind()) {
          case LIST -> argument.list().elements().stream();
          case MAP ->
              argument.map().entries().stream()
                  .flatMap(entry -> Stream.of(entry.key(), entry.value()));
          default -> Stream.empty();
        };
    return parts.flatMap(part -> unprintable(part).stream()).findFirst();
  }
}
