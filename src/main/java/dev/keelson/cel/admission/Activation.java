package dev.keelson.cel.admission;

import dev.cel.common.values.NullValue;
import dev.keelson.cel.library.AuthorizerFunctions;
import dev.keelson.cel.library.CelAuthorizer;
import dev.keelson.cel.plan.CostExceededException;
import dev.keelson.cel.plan.Frame;
import dev.keelson.cel.plan.Plan;
import dev.keelson.cel.type.DataType;
import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.Trees;
import dev.keelson.object.Node.MapNode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The values of the inputs for one policy and one request, and the evaluation of expressions with
 * them (source: apiserver/pkg/admission/plugin/cel/activation.go). Values are made when they are
 * read. Used by one thread.
 */
public final class Activation {

  /** Kubernetes' limit of the cost of one expression (PerCallLimit). */
  private static final long EXPRESSION_LIMIT = 1_000_000;

  /**
   * The inputs of expressions; null for CEL's null.
   *
   * @param request the AdmissionRequest without its objects; called at most once an activation
   * @param namespace the namespace of the object, as expressions see it
   */
  public record Inputs(
      @Nullable MapNode object,
      @Nullable MapNode oldObject,
      Supplier<MapNode> request,
      Supplier<@Nullable MapNode> namespace,
      CelAuthorizer authorizer,
      RequestResource resource) {}

  /** What {@code authorizer.requestResource} is about. */
  public record RequestResource(
      String group, String resource, String subresource, String namespace, String name) {}

  private final Inputs inputs;
  private final @Nullable MapNode params;
  private final LazyVariables variables;
  private final Map<Input, Object> values = new EnumMap<>(Input.class);

  /**
   * An activation.
   *
   * @param params null for CEL's null
   * @param variables the variables of the policy
   */
  public Activation(Inputs inputs, @Nullable MapNode params, List<PolicyVariable> variables) {
    this.inputs = inputs;
    this.params = params;
    this.variables = new LazyVariables(variables, this::frame);
  }

  /**
   * Evaluates an expression.
   *
   * @throws OutOfBudgetException if that costs more than the budget has left
   */
  public Outcome evaluate(PolicyExpression expression, Budget budget) throws OutOfBudgetException {
    Plan plan = expression.plan();
    if (plan == null) {
      return Outcome.failed("compilation error: " + expression.error());
    }
    Frame frame = frame(plan, expression);
    Object value = null;
    String problem = "";
    try {
      value = plan.value(frame);
    } catch (EvaluationError | CostExceededException e) {
      problem = String.valueOf(e.getMessage());
    } catch (StackOverflowError e) {
      problem = "expression is nested too deeply";
    }
    budget.spend(variables.takeCost());
    budget.spend(frame.cost());
    return value != null
        ? new Outcome(value, "")
        : Outcome.failed("expression '" + expression.text() + "' resulted in error: " + problem);
  }

  /** A frame with the inputs that an expression uses. */
  private Frame frame(Plan plan, PolicyExpression expression) {
    Frame frame = new Frame(plan.slots(), EXPRESSION_LIMIT);
    @Nullable Input[] used = expression.inputs();
    for (int slot = 0; slot < used.length; slot++) {
      Input input = used[slot];
      if (input != null) {
        frame.set(slot, value(input));
      }
    }
    return frame;
  }

  private Object value(Input input) {
    Object known = values.get(input);
    if (known == null) {
      known = made(input);
      values.put(input, known);
    }
    return known;
  }

  private Object made(Input input) {
    return switch (input) {
      case OBJECT -> Trees.value(inputs.object(), DataType.DYN);
      case OLD_OBJECT -> Trees.value(inputs.oldObject(), DataType.DYN);
      case NAMESPACE -> Trees.value(inputs.namespace().get(), AdmissionTypes.NAMESPACE);
      case REQUEST -> Trees.value(inputs.request().get(), AdmissionTypes.REQUEST);
      case PARAMS -> params == null ? NullValue.NULL_VALUE : Trees.value(params, DataType.DYN);
      case AUTHORIZER -> AuthorizerFunctions.value(inputs.authorizer());
      case REQUEST_RESOURCE -> {
        RequestResource about = inputs.resource();
        yield AuthorizerFunctions.resourceValue(
            inputs.authorizer(),
            about.group(),
            about.resource(),
            about.subresource(),
            about.namespace(),
            about.name());
      }
      case VARIABLES -> variables;
    };
  }
}
