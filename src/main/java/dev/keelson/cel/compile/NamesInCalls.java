package dev.keelson.cel.compile;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import java.util.HashSet;
import java.util.Set;

/**
 * The names of the functions that an expression may call, also as {@code sets.contains}, and of the
 * fields that it reads or sets.
 */
final class NamesInCalls {

  private final Set<String> names = new HashSet<>();
  private final Set<String> fields = new HashSet<>();

  private NamesInCalls() {}

  static NamesInCalls of(CelExpr expression) {
    NamesInCalls found = new NamesInCalls();
    found.add(expression);
    return found;
  }

  /** The functions; may be changed. */
  Set<String> functions() {
    return names;
  }

  /** The fields. */
  Set<String> fields() {
    return fields;
  }

  private void add(CelExpr part) {
    switch (part.getKind()) {
      case SELECT -> {
        fields.add(part.select().field());
        add(part.select().operand());
      }
      case CALL -> {
        String name = part.call().function();
        names.add(name);
        part.call()
            .target()
            .ifPresent(
                target -> {
                  String qualifier = qualifier(target);
                  if (!qualifier.isEmpty()) {
                    names.add(qualifier + "." + name);
                  }
                  add(target);
                });
        part.call().args().forEach(this::add);
      }
      case LIST -> part.list().elements().forEach(this::add);
      case MAP ->
          part.map()
              .entries()
              .forEach(
                  entry -> {
                    add(entry.key());
                    add(entry.value());
                  });
      case STRUCT ->
          part.struct()
              .entries()
              .forEach(
                  entry -> {
                    fields.add(entry.fieldKey());
                    add(entry.value());
                  });
      case COMPREHENSION -> {
        CelExpr.CelComprehension loop = part.comprehension();
        add(loop.iterRange());
        add(loop.accuInit());
        add(loop.loopCondition());
        add(loop.loopStep());
        add(loop.result());
      }
      case CONSTANT, IDENT, NOT_SET -> {
        // calls nothing
      }
    }
  }

  private static String qualifier(CelExpr part) {
    if (part.getKind() == ExprKind.Kind.IDENT) {
      return part.ident().name();
    }
    if (part.getKind() != ExprKind.Kind.SELECT || part.select().testOnly()) {
      return "";
    }
    String above = qualifier(part.select().operand());
    return above.isEmpty() ? "" : above + "." + part.select().field();
  }
}
