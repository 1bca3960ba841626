package dev.keelson.cel.library;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelIssue;
import dev.cel.common.Operator;
import dev.cel.common.ast.CelExpr;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import dev.cel.parser.CelParserBuilder;
import java.util.Optional;

/**
 * The macro {@code list.sortBy(name, key)}: binds the list and sorts it by the keys of its elements
 * (source: cel-go's ext/lists.go, sortByMacro).
 */
final class SortByMacro implements CelCompilerLibrary {

  private static final String INPUT = "@__sortBy_input__";
  private static final String UNUSED = "#unused";

  @Override
  public void setParserOptions(CelParserBuilder builder) {
    builder.addMacros(CelMacro.newReceiverMacro("sortBy", 2, SortByMacro::expanded));
  }

  private static Optional<CelExpr> expanded(
      CelMacroExprFactory factory, CelExpr list, ImmutableList<CelExpr> arguments) {
    switch (list.getKind()) {
      case LIST, SELECT, IDENT, COMPREHENSION, CALL -> {
        // may be a list
      }
      default -> {
        return problem(
            factory,
            list,
            "sortBy can only be applied to a list, identifier, comprehension, call or select"
                + " expression");
      }
    }
    CelExpr name = arguments.get(0);
    if (name.getKind() != CelExpr.ExprKind.Kind.IDENT) {
      return problem(factory, name, "argument is not an identifier");
    }
    CelExpr call =
        factory.newReceiverCall(
            ListExtension.SORT_BY_KEYS,
            factory.newIdentifier(INPUT),
            keys(factory, name.ident().name(), arguments.get(1)));
    return Optional.of(
        factory.fold(
            UNUSED,
            factory.newList(),
            INPUT,
            list,
            factory.newBoolLiteral(false),
            factory.newIdentifier(INPUT),
            call));
  }

  /** What the macro {@code map} makes of the list. */
  private static CelExpr keys(CelMacroExprFactory factory, String name, CelExpr key) {
    String result = factory.getAccumulatorVarName();
    return factory.fold(
        name,
        factory.newIdentifier(INPUT),
        result,
        factory.newList(),
        factory.newBoolLiteral(true),
        factory.newGlobalCall(
            Operator.ADD.getFunction(), factory.newIdentifier(result), factory.newList(key)),
        factory.newIdentifier(result));
  }

  private static Optional<CelExpr> problem(
      CelMacroExprFactory factory, CelExpr at, String message) {
    return Optional.of(
        factory.reportError(CelIssue.formatError(factory.getSourceLocation(at), message)));
  }
}
