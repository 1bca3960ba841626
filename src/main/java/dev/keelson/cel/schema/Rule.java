package dev.keelson.cel.schema;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.keelson.cel.compile.CompilationException;
import dev.keelson.cel.compile.ExpressionCompiler;
import dev.keelson.cel.compile.TypeDeclarations;
import dev.keelson.cel.plan.Plan;
import dev.keelson.cel.type.DataType;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rule.
 *
 * @param source the ValidationRule
 * @param rule null if the rule is empty or wrong
 * @param error what is wrong with the rule; empty if nothing is
 * @param messageExpression null if there is no expression for the message or it is wrong
 * @param messageError what is wrong with the expression for the message; empty if nothing is
 * @param fieldPath the normalized path of the field that is reported; empty for the rule's place
 */
record Rule(
    MapNode source,
    @Nullable Compiled rule,
    String error,
    @Nullable Compiled messageExpression,
    String messageError,
    String fieldPath) {

  /** The slots of the variables. */
  static final int SELF = 0;

  static final int OLD_SELF = 1;

  /** Compiles the rules of a place. */
  static List<Rule> compile(List<MapNode> sources, StructuralSchema schema, DataType type) {
    Compilers compilers = new Compilers(type);
    List<Rule> rules = new ArrayList<>(sources.size());
    for (MapNode source : sources) {
      rules.add(compile(source, schema, compilers));
    }
    return List.copyOf(rules);
  }

  private static Rule compile(MapNode source, StructuralSchema schema, Compilers compilers) {
    String text = source.text("rule");
    if (text.isBlank()) {
      return wrong(source, "");
    }
    Compiled rule;
    try {
      rule = compilers.compile(text, isOptional(source));
    } catch (CompilationException e) {
      return wrong(source, e.text());
    }
    if (!rule.isBool()) {
      return wrong(source, "cel expression must evaluate to a bool");
    }
    Message message = message(source, compilers);
    return new Rule(
        source,
        rule,
        "",
        message.expression,
        message.error,
        FieldPaths.normalized(source.text("fieldPath"), schema));
  }

  private static Rule wrong(MapNode source, String error) {
    return new Rule(source, null, error, null, "", "");
  }

  /** The expression for the message. */
  private record Message(@Nullable Compiled expression, String error) {}

  private static Message message(MapNode source, Compilers compilers) {
    String text = source.text("messageExpression");
    if (text.isEmpty()) {
      return new Message(null, "");
    }
    try {
      Compiled message = compilers.compile(text, isOptional(source));
      return message.isString()
          ? new Message(message, "")
          : new Message(null, "messageExpression must evaluate to a string");
    } catch (CompilationException e) {
      return new Message(null, e.textOf("messageExpression"));
    }
  }

  /** Evaluates the rule; null if it is empty or wrong. */
  @Nullable Plan program() {
    return rule == null ? null : rule.plan();
  }

  /** The estimated cost of the rule. */
  long cost() {
    return rule == null ? 0 : rule.cost();
  }

  /** Whether it is a rule about transitions. */
  boolean usesOldSelf() {
    return rule != null && rule.usesOldSelf();
  }

  /** Evaluates the expression for the message; null if there is none or it is wrong. */
  @Nullable Plan message() {
    return messageExpression == null ? null : messageExpression.plan();
  }

  /** The estimated cost of the expression for the message. */
  long messageCost() {
    return messageExpression == null ? 0 : messageExpression.cost();
  }

  private static boolean isOptional(MapNode source) {
    return source.get("optionalOldSelf") == Node.Bool.TRUE;
  }

  /** Whether {@code oldSelf} is an optional value. */
  boolean optionalOldSelf() {
    return isOptional(source);
  }

  /** The rule as messages name it: by its own message, or its text. */
  String shown() {
    String message = source.text("message");
    return (message.isEmpty() ? source.text("rule") : message).strip();
  }

  /** The message of a failed rule without an expression for it. */
  String failure() {
    return source.text("message").isEmpty() ? "failed rule: " + shown() : shown();
  }

  /** The compilers of a place, made when they are needed. */
  private static final class Compilers {
    private final DataType type;
    private final Shape shape;
    private final TypeDeclarations types = new TypeDeclarations();
    private @Nullable CelType self;
    private @Nullable ExpressionCompiler plain;
    private @Nullable ExpressionCompiler optional;

    Compilers(DataType type) {
      this.type = type;
      this.shape = new Shape(type);
    }

    Compiled compile(String text, boolean optionalOldSelf) throws CompilationException {
      return Compiled.of(
          text,
          optionalOldSelf,
          type,
          shape,
          (expression, optionally) -> of(optionally).compile(expression));
    }

    private ExpressionCompiler of(boolean optionalOldSelf) {
      if (self == null) {
        self = types.declare(type);
      }
      if (optionalOldSelf) {
        if (optional == null) {
          optional = compiler(self, OptionalType.create(self));
        }
        return optional;
      }
      if (plain == null) {
        plain = compiler(self, self);
      }
      return plain;
    }

    private ExpressionCompiler compiler(CelType self, CelType oldSelf) {
      Map<String, CelType> variables = new LinkedHashMap<>();
      variables.put("self", self);
      variables.put("oldSelf", oldSelf);
      return new ExpressionCompiler(types.provider(), variables);
    }
  }
}
