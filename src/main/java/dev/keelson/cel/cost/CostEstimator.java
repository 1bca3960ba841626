package dev.keelson.cel.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the cost of an expression at worst (source: cel-go's checker/cost.go). Used by one
 * thread, for one expression.
 */
public final class CostEstimator {

  /*
   * The walk follows cel-go step by step, since its numbers decide which definitions Kubernetes
   * accepts: each part has a cost, a path if it is reached from a variable, and a size if one is
   * known. Sizes come, in this order, from the computation of a call, the literal itself, the
   * schema by the path, and the type.
   */

  private static final double TRAVERSAL = 0.1;
  private static final double REGEX = 0.25;
  private static final Range LIST_COST = Range.of(10);
  private static final Range MAP_COST = Range.of(30);
  private static final Range OBJECT_COST = Range.of(40);
  private static final Set<String> ACCUMULATORS = Set.of("__result__", "@result");
  private static final Set<CelKind> SCALARS =
      Set.of(
          CelKind.BOOL,
          CelKind.DOUBLE,
          CelKind.DURATION,
          CelKind.INT,
          CelKind.TIMESTAMP,
          CelKind.UINT);

  private final CelAbstractSyntaxTree tree;
  private final SizeLimits limits;
  private final LibraryCosts library;
  private final Map<Long, List<String>> paths = new HashMap<>();
  private final Map<Long, Range> sizes = new HashMap<>();
  private final Map<Long, Entries> entries = new HashMap<>();
  private final Map<String, Deque<Local>> locals = new HashMap<>();

  /** The sizes of the keys or indexes and of the values of a list or map. */
  private record Entries(boolean list, Range key, Range value) {
    Entries or(Entries other) {
      return new Entries(list, key.or(other.key), value.or(other.value));
    }
  }

  /** A variable of a loop. */
  private record Local(List<String> path, @Nullable Range size, @Nullable Entries entries) {}

  private CostEstimator(CelAbstractSyntaxTree tree, SizeLimits limits) {
    this.tree = tree;
    this.limits = limits;
    this.library = new LibraryCosts(limits);
  }

  /**
   * The cost of an expression.
   *
   * @param limits the sizes of its variables
   */
  public static Range estimate(CelAbstractSyntaxTree tree, SizeLimits limits) {
    return new CostEstimator(tree, limits).cost(tree.getExpr());
  }

  private Range cost(CelExpr part) {
    return switch (part.getKind()) {
      case CONSTANT, NOT_SET -> Range.ZERO;
      case IDENT -> {
        Local local = local(part.ident().name());
        paths.put(part.id(), local == null ? List.of(part.ident().name()) : local.path());
        yield Range.ONE;
      }
      case SELECT -> select(part);
      case CALL -> call(part);
      case LIST -> list(part);
      case MAP -> map(part);
      case STRUCT -> {
        Range sum = OBJECT_COST;
        for (CelExpr.CelStruct.Entry entry : part.struct().entries()) {
          sum = sum.plus(cost(entry.value()));
        }
        yield sum;
      }
      case COMPREHENSION -> isBinding(part.comprehension()) ? binding(part) : loop(part);
    };
  }

  private @Nullable Local local(String name) {
    Deque<Local> known = locals.get(name);
    return known == null ? null : known.peek();
  }

  private void push(String name, Local local) {
    locals.computeIfAbsent(name, key -> new ArrayDeque<>()).push(local);
  }

  private void pop(String name) {
    Deque<Local> known = locals.get(name);
    if (known != null) {
      known.pop();
    }
  }

  private Range select(CelExpr part) {
    CelExpr operand = part.select().operand();
    Range sum = cost(operand);
    if (part.select().testOnly()) {
      // PresenceTestHasCost(false)
      return sum;
    }
    paths.put(part.id(), below(path(operand), part.select().field()));
    return switch (type(operand).kind()) {
      case MAP, STRUCT, TYPE_PARAM -> sum.plus(Range.ONE);
      default -> sum;
    };
  }

  private static List<String> below(List<String> path, String step) {
    List<String> longer = new ArrayList<>(path);
    longer.add(step);
    return longer;
  }

  private Range call(CelExpr part) {
    CelCall call = part.call();
    if (call.function().equals("dyn")) {
      CelExpr argument = call.args().getFirst();
      Range cost = Range.ONE.plus(cost(argument));
      copySizes(part, argument);
      return cost;
    }
    List<Range> costs = new ArrayList<>();
    List<Sized> arguments = new ArrayList<>();
    for (CelExpr argument : call.args()) {
      costs.add(cost(argument));
      arguments.add(sized(argument));
    }
    List<String> overloads =
        tree.getReference(part.id())
            .map(CelReference::overloadIds)
            .map(List::copyOf)
            .orElse(List.of());
    if (overloads.isEmpty()) {
      return Range.ZERO;
    }
    Range sum = Range.ZERO;
    Sized target = null;
    if (call.target().isPresent()) {
      sum = cost(call.target().get());
      target = sized(call.target().get());
    }
    Range most = new Range(Long.MAX_VALUE, 0);
    Range size = null;
    for (String overload : overloads) {
      Call one = new Call(part, call.function(), overload, target, arguments, costs);
      CallEstimate estimate = estimate(one);
      most = most.or(estimate.cost());
      if (estimate.size() != null) {
        size = size == null ? estimate.size() : size.or(estimate.size());
      }
      if (overload.equals("index_list") || overload.equals("index_map")) {
        Entries known = entries(call.args().getFirst());
        size = known == null ? null : known.value();
        String step = overload.equals("index_list") ? "@items" : "@values";
        paths.put(part.id(), below(path(call.args().getFirst()), step));
      }
      if (size == null) {
        size = size(part);
      }
    }
    if (size != null) {
      sizes.put(part.id(), size);
    }
    return sum.plus(most);
  }

  /** A call with one of its overloads. */
  private record Call(
      CelExpr part,
      String function,
      String overload,
      @Nullable Sized target,
      List<Sized> arguments,
      List<Range> costs) {

    Range ofArguments() {
      Range sum = Range.ZERO;
      for (Range cost : costs) {
        sum = sum.plus(cost);
      }
      return sum;
    }

    CelExpr argument(int index) {
      return part.call().args().get(index);
    }
  }

  /** The cost with that of the arguments. */
  private CallEstimate estimate(Call call) {
    CallEstimate known = library.of(call.function, call.overload, call.target, call.arguments);
    if (known == null) {
      known = ofLanguage(call);
    }
    return switch (call.overload) {
      case "logical_or", "logical_and", "conditional" -> known;
      default -> new CallEstimate(known.cost().plus(call.ofArguments()), known.size());
    };
  }

  private CallEstimate ofLanguage(Call call) {
    List<Sized> arguments = call.arguments;
    return switch (call.overload) {
      case "string_format" -> {
        Range target = known(call.target);
        yield new CallEstimate(target.times(TRAVERSAL), target.plus(known(arguments.getFirst())));
      }
      case "string_to_bytes" -> {
        Range size = known(arguments.getFirst());
        yield new CallEstimate(
            size.times(TRAVERSAL), new Range(size.min(), Range.product(size.max(), 4)));
      }
      case "bytes_to_string" -> {
        Range size = known(arguments.getFirst());
        yield new CallEstimate(size.times(TRAVERSAL), new Range(size.min() / 4, size.max()));
      }
      case "starts_with_string", "ends_with_string" ->
          new CallEstimate(known(arguments.getFirst()).times(TRAVERSAL));
      case "in_list" -> new CallEstimate(known(arguments.get(1)));
      case "matches_string" ->
          call.target == null
              ? new CallEstimate(Range.ONE)
              : new CallEstimate(
                  known(call.target)
                      .plus(Range.ONE)
                      .times(TRAVERSAL)
                      .times(known(arguments.getFirst()).times(REGEX)));
      case "contains_string" ->
          new CallEstimate(
              known(call.target)
                  .times(TRAVERSAL)
                  .times(known(arguments.getFirst()).times(TRAVERSAL)));
      case "logical_or", "logical_and" -> {
        Range left = call.costs.get(0);
        yield new CallEstimate(new Range(left.min(), left.plus(call.costs.get(1)).max()));
      }
      case "conditional" -> conditional(call);
      case "add_string", "add_bytes", "add_list" -> addition(call);
      case "equals",
          "not_equals",
          "less_string",
          "less_equals_string",
          "greater_string",
          "greater_equals_string",
          "less_bytes",
          "less_equals_bytes",
          "greater_bytes",
          "greater_equals_bytes" -> {
        long most = Math.min(known(arguments.get(0)).max(), known(arguments.get(1)).max());
        yield new CallEstimate(new Range(most > 0 ? 1 : 0, most).times(TRAVERSAL));
      }
      default -> new CallEstimate(Range.ONE);
    };
  }

  private CallEstimate conditional(Call call) {
    Entries one = entries(call.argument(1));
    Entries other = entries(call.argument(2));
    if (one != null && other != null) {
      entries.put(call.part.id(), one.or(other));
    }
    Range size = known(call.arguments.get(1)).or(known(call.arguments.get(2)));
    return new CallEstimate(call.costs.get(0).plus(call.costs.get(1).or(call.costs.get(2))), size);
  }

  private CallEstimate addition(Call call) {
    Range size = known(call.arguments.get(0)).plus(known(call.arguments.get(1)));
    Entries one = entries(call.argument(0));
    Entries other = entries(call.argument(1));
    if (one != null && other != null) {
      entries.put(call.part.id(), one.or(other));
    }
    return new CallEstimate(
        call.overload.equals("add_list") ? Range.ONE : size.times(TRAVERSAL), size);
  }

  private Range list(CelExpr part) {
    Range sum = LIST_COST;
    Range item = part.list().elements().isEmpty() ? Range.ZERO : new Range(Long.MAX_VALUE, 0);
    for (CelExpr element : part.list().elements()) {
      sum = sum.plus(cost(element));
      item = item.or(known(element));
    }
    entries.put(part.id(), new Entries(true, Range.ONE, item));
    return sum;
  }

  private Range map(CelExpr part) {
    Range sum = MAP_COST;
    Range none = part.map().entries().isEmpty() ? Range.ZERO : new Range(Long.MAX_VALUE, 0);
    Range key = none;
    Range value = none;
    for (CelExpr.CelMap.Entry entry : part.map().entries()) {
      sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
      key = key.or(known(entry.key()));
      value = value.or(known(entry.value()));
    }
    entries.put(part.id(), new Entries(false, key, value));
    return sum;
  }

  private static boolean isBinding(CelComprehension loop) {
    CelExpr condition = loop.loopCondition();
    return loop.iterRange().getKind() == ExprKind.Kind.LIST
        && loop.iterRange().list().elements().isEmpty()
        && condition.getKind() == ExprKind.Kind.CONSTANT
        && condition.constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
        && !condition.constant().booleanValue()
        && !ACCUMULATORS.contains(loop.accuVar());
  }

  private Range binding(CelExpr part) {
    CelComprehension loop = part.comprehension();
    Range sum = cost(loop.iterRange()).plus(cost(loop.accuInit()));
    CelExpr start = loop.accuInit();
    push(loop.accuVar(), new Local(path(start), size(start), entries(start)));
    sum = sum.plus(cost(loop.result()));
    pop(loop.accuVar());
    copySizes(part, loop.result());
    return sum;
  }

  private Range loop(CelExpr part) {
    CelComprehension loop = part.comprehension();
    CelExpr range = loop.iterRange();
    CelExpr start = loop.accuInit();
    Range sum = cost(range).plus(cost(start));
    push(loop.accuVar(), new Local(path(start), size(start), entries(start)));
    enter(loop, range);
    Range each = cost(loop.loopCondition()).plus(cost(loop.loopStep()));
    pop(loop.iterVar());
    if (!loop.iterVar2().isEmpty()) {
      pop(loop.iterVar2());
    }
    sum = sum.plus(cost(loop.result()));
    pop(loop.accuVar());
    Range count = known(range);
    sum = sum.plus(count.times(each));
    switch (start.getKind()) {
      case CONSTANT -> setSize(part, size(start));
      case LIST, MAP -> {
        setSize(part, count);
        Entries step = entries(loop.loopStep());
        if (step != null) {
          entries.put(part.id(), step);
        }
      }
      default -> {
        // the size of the result is not known
      }
    }
    return sum;
  }

  /** Declares the variables of a loop. */
  private void enter(CelComprehension loop, CelExpr range) {
    Entries known = entries(range);
    boolean list = known == null ? type(range).kind() == CelKind.LIST : known.list();
    Range key = known == null ? null : known.key();
    Range value = known == null ? null : known.value();
    Local item = new Local(below(path(range), list ? "@items" : "@values"), value, null);
    if (loop.iterVar2().isEmpty()) {
      push(loop.iterVar(), list ? item : new Local(below(path(range), "@keys"), key, null));
    } else {
      push(loop.iterVar(), new Local(below(path(range), list ? "@indices" : "@keys"), key, null));
      push(loop.iterVar2(), item);
    }
  }

  private void setSize(CelExpr part, @Nullable Range size) {
    if (size != null) {
      sizes.put(part.id(), size);
    }
  }

  private void copySizes(CelExpr to, CelExpr from) {
    setSize(to, size(from));
    Entries known = entries(from);
    if (known != null) {
      entries.put(to.id(), known);
    }
  }

  private CelType type(CelExpr part) {
    return tree.getType(part.id()).orElse(SimpleType.DYN);
  }

  private List<String> path(CelExpr part) {
    if (part.getKind() == ExprKind.Kind.IDENT) {
      Local local = local(part.ident().name());
      if (local != null) {
        return local.path();
      }
    }
    return paths.getOrDefault(part.id(), List.of());
  }

  private Sized sized(CelExpr part) {
    List<String> path = path(part);
    boolean internal = !path.isEmpty() && ACCUMULATORS.contains(path.getFirst());
    return new Sized(part, internal ? List.of() : path, type(part), size(part));
  }

  private Range known(CelExpr part) {
    Range size = size(part);
    return size == null ? Range.UNKNOWN : size;
  }

  private static Range known(@Nullable Sized part) {
    return part == null || part.size() == null ? Range.UNKNOWN : part.size();
  }

  private @Nullable Range size(CelExpr part) {
    Range known = sizes.get(part.id());
    if (known == null) {
      known = ofLiteral(part);
    }
    if (known == null) {
      known = limits.of(path(part));
      setSize(part, known);
    }
    if (known == null && isScalar(type(part))) {
      known = Range.ONE;
    }
    if (known == null && part.getKind() == ExprKind.Kind.IDENT) {
      Local local = local(part.ident().name());
      known = local == null ? null : local.size();
    }
    return known;
  }

  private @Nullable Entries entries(CelExpr part) {
    Entries known = entries.get(part.id());
    if (known == null && part.getKind() == ExprKind.Kind.IDENT) {
      Local local = local(part.ident().name());
      known = local == null ? null : local.entries();
    }
    return known;
  }

  private static @Nullable Range ofLiteral(CelExpr part) {
    return switch (part.getKind()) {
      case LIST -> Range.of(part.list().elements().size());
      case MAP -> Range.of(part.map().entries().size());
      case CONSTANT ->
          switch (part.constant().getKind()) {
            case STRING_VALUE -> {
              String text = part.constant().stringValue();
              yield Range.of(text.codePointCount(0, text.length()));
            }
            case BYTES_VALUE -> Range.of(part.constant().bytesValue().size());
            default -> Range.ONE;
          };
      default -> null;
    };
  }

  private static boolean isScalar(CelType type) {
    return SCALARS.contains(type.kind())
        || (type instanceof OptionalType && isScalar(type.parameters().getFirst()));
  }
}
