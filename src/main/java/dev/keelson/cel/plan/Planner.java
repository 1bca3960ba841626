package dev.keelson.cel.plan;

import com.google.re2j.Pattern;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.TypeType;
import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.ObjectValue;
import dev.keelson.cel.type.Patterns;
import dev.keelson.cel.type.WrapperMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes a {@link Plan} of a checked expression. Used by one thread, for one expression. */
public final class Planner {

  private final CelAbstractSyntaxTree tree;
  private final Functions functions;
  private final Map<String, Deque<Integer>> scopes = new HashMap<>();
  private int used;
  private int slots;

  private Planner(CelAbstractSyntaxTree tree, List<String> variables, Functions functions) {
    this.tree = tree;
    this.functions = functions;
    variables.forEach(this::enter);
  }

  /**
   * Plans an expression.
   *
   * @param tree the checked expression
   * @param variables the variables of the environment, which get the slots from 0 in this order
   * @param functions the functions of the environment
   * @throws IllegalArgumentException if a constant is wrong, such as a regular expression, or the
   *     expression constructs an object
   */
  public static Plan plan(CelAbstractSyntaxTree tree, List<String> variables, Functions functions) {
    Planner planner = new Planner(tree, variables, functions);
    Step root = planner.step(tree.getExpr());
    return new Plan(root, planner.slots);
  }

  private int enter(String name) {
    int slot = used++;
    slots = Math.max(slots, used);
    scopes.computeIfAbsent(name, key -> new ArrayDeque<>()).push(slot);
    return slot;
  }

  private void leave(String name) {
    Deque<Integer> known = scopes.get(name);
    if (known != null) {
      known.pop();
    }
    // slots are given out as a stack, and scopes end in the reverse order
    used--;
  }

  private Step step(CelExpr expression) {
    return switch (expression.getKind()) {
      case CONSTANT -> new Access.Constant(constant(expression.constant()));
      case IDENT -> variable(expression);
      case SELECT -> field(expression);
      case CALL -> call(expression);
      case LIST -> {
        Set<Integer> optional = new HashSet<>(expression.list().optionalIndices());
        yield Constants.list(steps(expression.list().elements()), optional);
      }
      case MAP -> map(expression.map());
      case COMPREHENSION -> loop(expression.comprehension());
      case STRUCT -> object(expression.struct());
      case NOT_SET -> throw new IllegalArgumentException("an expression without a kind");
    };
  }

  private List<Step> steps(List<CelExpr> expressions) {
    List<Step> steps = new ArrayList<>(expressions.size());
    for (CelExpr expression : expressions) {
      steps.add(step(expression));
    }
    return steps;
  }

  private static Object constant(CelConstant constant) {
    return switch (constant.getKind()) {
      case NULL_VALUE -> constant.nullValue();
      case BOOLEAN_VALUE -> constant.booleanValue();
      case INT64_VALUE -> constant.int64Value();
      case UINT64_VALUE -> constant.uint64Value();
      case DOUBLE_VALUE -> constant.doubleValue();
      case STRING_VALUE -> constant.stringValue();
      case BYTES_VALUE -> constant.bytesValue();
      case NOT_SET, TIMESTAMP_VALUE, DURATION_VALUE ->
          throw new IllegalArgumentException("unknown constant: " + constant.getKind());
    };
  }

  private Step variable(CelExpr expression) {
    String name = expression.ident().name();
    Deque<Integer> known = scopes.get(name);
    if (known != null && !known.isEmpty()) {
      return new Access.Variable(name, known.element());
    }
    if (tree.getType(expression.id()).orElse(null) instanceof TypeType type) {
      return new Access.Constant(type);
    }
    String resolved = tree.getReference(expression.id()).map(CelReference::name).orElse(name);
    Deque<Integer> qualified = scopes.get(resolved);
    if (qualified != null && !qualified.isEmpty()) {
      return new Access.Variable(resolved, qualified.element());
    }
    throw new IllegalArgumentException("undeclared reference to '" + name + "'");
  }

  private Step field(CelExpr expression) {
    // a qualified name is one variable or type, such as google.protobuf.Timestamp
    if (tree.getReference(expression.id()).isPresent()
        && tree.getType(expression.id()).orElse(null) instanceof TypeType type) {
      return new Access.Constant(type);
    }
    Deque<Integer> qualified =
        tree.getReference(expression.id()).map(CelReference::name).map(scopes::get).orElse(null);
    if (qualified != null && !qualified.isEmpty()) {
      String name = tree.getReference(expression.id()).map(CelReference::name).orElseThrow();
      return new Access.Variable(name, qualified.element());
    }
    return new Access.Field(
        step(expression.select().operand()),
        expression.select().field(),
        expression.select().testOnly());
  }

  private Step map(CelExpr.CelMap map) {
    List<Literals.Entry> entries = new ArrayList<>();
    for (CelExpr.CelMap.Entry entry : map.entries()) {
      entries.add(
          new Literals.Entry(step(entry.key()), step(entry.value()), entry.optionalEntry()));
    }
    return Constants.map(entries);
  }

  private Step object(CelExpr.CelStruct object) {
    String type = object.messageName();
    Optional<WrapperMessage> wrapper = WrapperMessage.of(type);
    if (wrapper.isEmpty() && !ObjectValue.isConstructible(type)) {
      throw new IllegalArgumentException("objects cannot be constructed here");
    }
    List<Literals.ObjectField> fields = new ArrayList<>();
    for (CelExpr.CelStruct.Entry field : object.entries()) {
      fields.add(
          new Literals.ObjectField(field.fieldKey(), step(field.value()), field.optionalEntry()));
    }
    return wrapper
        .map(message -> new Literals.ObjectOf(message::value, fields))
        .orElseGet(() -> new Literals.ObjectOf(values -> ObjectValue.of(type, values), fields));
  }

  private Step loop(CelComprehension loop) {
    Step range = step(loop.iterRange());
    Step start = step(loop.accuInit());
    int accumulator = enter(loop.accuVar());
    int first = enter(loop.iterVar());
    int second = loop.iterVar2().isEmpty() ? -1 : enter(loop.iterVar2());
    Step condition = step(loop.loopCondition());
    Step body = step(loop.loopStep());
    if (second >= 0) {
      leave(loop.iterVar2());
    }
    leave(loop.iterVar());
    Step result = step(loop.result());
    leave(loop.accuVar());
    return new Loop(
        new Loop.Parts(range, start, condition, body, result),
        new Loop.Slots(first, second, accumulator));
  }

  private Step call(CelExpr expression) {
    CelCall call = expression.call();
    List<Step> arguments = new ArrayList<>();
    // the target of a qualified name such as sets.contains is no value
    if (call.target().isPresent()) {
      arguments.add(step(call.target().get()));
    }
    arguments.addAll(steps(call.args()));
    List<String> overloads =
        tree.getReference(expression.id())
            .map(reference -> (List<String>) reference.overloadIds())
            .orElse(List.of());
    return switch (call.function()) {
      case "_&&_" -> new Logic.Either(arguments.get(0), arguments.get(1), false);
      case "_||_" -> new Logic.Either(arguments.get(0), arguments.get(1), true);
      case "_?_:_" -> new Logic.Choice(arguments.get(0), arguments.get(1), arguments.get(2));
      case "!_" -> new Logic.Not(arguments.get(0));
      case "@not_strictly_false", "__not_strictly_false__" ->
          new Logic.NotStrictlyFalse(arguments.get(0));
      case "_[_]" -> new Access.Index(arguments.get(0), arguments.get(1), /* optional= */ false);
      case "_?._", "_[?_]" ->
          new Access.Index(arguments.get(0), arguments.get(1), /* optional= */ true);
      case "or", "orValue" -> new Alternative(arguments.get(0), arguments.get(1), call.function());
      default -> function(call.function(), overloads, arguments);
    };
  }

  private Step function(String function, List<String> overloads, List<Step> arguments) {
    Step folded = Constants.folded(overloads, arguments);
    if (folded != null) {
      return folded;
    }
    Step call = plainFunction(function, overloads, arguments);
    return Constants.isConversion(function, arguments)
        ? new Access.Constant(Constants.valueOf(call))
        : call;
  }

  private Step plainFunction(String function, List<String> overloads, List<Step> arguments) {
    CallCost cost = CallCost.of(function, overloads.size() == 1 ? overloads.getFirst() : "");
    Functions.Dispatch dispatch = functions.dispatch(function, overloads);
    Step first = arguments.isEmpty() ? null : arguments.getFirst();
    Step second = arguments.size() == 2 ? arguments.get(1) : null;
    if (first != null && arguments.size() <= 2) {
      if (function.equals("matches") && second != null) {
        return matches(first, second, cost, dispatch);
      }
      String regex = Constants.text(second);
      if (function.equals("find") && regex != null) {
        return new Call.Operation(Regex.find(regex), first, second, cost, dispatch);
      }
      Operator operator = Operators.of(function);
      if (operator != null) {
        return new Call.Operation(operator, first, second, cost, dispatch);
      }
    }
    String everywhere = function.equals("findAll") ? Constants.text(arguments.get(1)) : null;
    if (everywhere != null) {
      Pattern unused = Patterns.compile(everywhere);
    }
    return new Call.Function(arguments, cost, CallCost.isPrepaid(function), dispatch);
  }

  private static Step matches(Step text, Step pattern, CallCost cost, Functions.Dispatch dispatch) {
    String regex = Constants.text(pattern);
    if (regex != null) {
      return new Call.Operation(Regex.constant(regex), text, pattern, cost, dispatch);
    }
    return new Call.Operation(Regex::matches, text, pattern, cost, dispatch);
  }

  /** {@code optional.or(other)} and {@code optional.orValue(other)}, which are free. */
  private static final class Alternative extends Step {
    private final Step optional;
    private final Step other;
    private final boolean unwrap;

    Alternative(Step optional, Step other, String function) {
      this.optional = optional;
      this.other = other;
      this.unwrap = function.equals("orValue");
    }

    @Override
    Object value(Frame frame) {
      if (!(optional.value(frame) instanceof Optional<?> found)) {
        throw EvaluationError.noSuchOverload();
      }
      if (found.isEmpty()) {
        return other.value(frame);
      }
      return unwrap ? found.get() : found;
    }
  }
}
