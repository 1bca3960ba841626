package dev.keelson.cel.schema;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.keelson.cel.compile.CompilationException;
import dev.keelson.cel.compile.CompiledExpression;
import dev.keelson.cel.compile.ExpressionCompiler;
import dev.keelson.cel.compile.TypeDeclarations;
import dev.keelson.cel.cost.CostEstimator;
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
 * @param program null if the rule is empty or wrong
 * @param cost the estimated cost of the rule
 * @param usesOldSelf whether it is a rule about transitions
 * @param error what is wrong with the rule; empty if nothing is
 * @param message null if there is no expression for the message or it is wrong
 * @param messageCost the estimated cost of the expression for the message
 * @param messageError what is wrong with the expression for the message; empty if nothing is
 * @param fieldPath the normalized path of the field that is reported; empty for the rule's place
 */
record Rule(
    MapNode source,
    @Nullable Plan program,
    long cost,
    boolean usesOldSelf,
    String error,
    @Nullable Plan message,
    long messageCost,
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

  /*
   * The checked trees are not kept: they are ten times as large as the plans, and there may be
   * thousands of definitions.
   */
  private static Rule compile(MapNode source, StructuralSchema schema, Compilers compilers) {
    String text = source.text("rule");
    if (text.isBlank()) {
      return wrong(source, "");
    }
    ExpressionCompiler compiler = compilers.of(isOptional(source));
    CompiledExpression program;
    try {
      program = compiler.compile(text);
    } catch (CompilationException e) {
      return wrong(source, e.text());
    }
    if (!program.tree().getResultType().equals(SimpleType.BOOL)) {
      return wrong(source, "cel expression must evaluate to a bool");
    }
    Message message = message(source.text("messageExpression"), compiler, compilers);
    return new Rule(
        source,
        program.plan(),
        compilers.cost(program),
        program.refersTo("oldSelf"),
        "",
        message.plan,
        message.cost,
        message.error,
        FieldPaths.normalized(source.text("fieldPath"), schema));
  }

  private static Rule wrong(MapNode source, String error) {
    return new Rule(source, null, 0, false, error, null, 0, "", "");
  }

  /** The expression for the message. */
  private record Message(@Nullable Plan plan, long cost, String error) {}

  private static Message message(String text, ExpressionCompiler compiler, Compilers compilers) {
    if (text.isEmpty()) {
      return new Message(null, 0, "");
    }
    try {
      CompiledExpression message = compiler.compile(text);
      return message.tree().getResultType().equals(SimpleType.STRING)
          ? new Message(message.plan(), compilers.cost(message), "")
          : new Message(null, 0, "messageExpression must evaluate to a string");
    } catch (CompilationException e) {
      return new Message(null, 0, e.textOf("messageExpression"));
    }
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
    private final TypeDeclarations types = new TypeDeclarations();
    private final DataType type;
    private final CelType self;
    private @Nullable ExpressionCompiler plain;
    private @Nullable ExpressionCompiler optional;

    Compilers(DataType type) {
      this.type = type;
      this.self = types.declare(type);
    }

    /** The estimated cost of an expression; unbounded if it is nested too deeply to tell. */
    long cost(CompiledExpression expression) {
      try {
        return CostEstimator.estimate(expression.tree(), type).max();
      } catch (StackOverflowError e) {
        return Long.MAX_VALUE;
      }
    }

    ExpressionCompiler of(boolean optionalOldSelf) {
      if (optionalOldSelf) {
        if (optional == null) {
          optional = compiler(OptionalType.create(self));
        }
        return optional;
      }
      if (plain == null) {
        plain = compiler(self);
      }
      return plain;
    }

    private ExpressionCompiler compiler(CelType oldSelf) {
      Map<String, CelType> variables = new LinkedHashMap<>();
      variables.put("self", self);
      variables.put("oldSelf", oldSelf);
      return new ExpressionCompiler(types.provider(), variables);
    }
  }
}
