package dev.keelson.cel.schema;

import dev.keelson.api.FieldCause;
import dev.keelson.cel.plan.CostExceededException;
import dev.keelson.cel.plan.Frame;
import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.Trees;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.value.GoQuote;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One evaluation of the rules of a schema for an object. Used by one thread. */
final class RuleEvaluation {

  /** Kubernetes' limit of the cost of one expression (PerCallLimit). */
  static final long EXPRESSION_LIMIT = 1_000_000;

  private static final int MOST_MESSAGE_BYTES = 5 * 1024;

  private final List<FieldCause> causes = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  /** What is left of the budget; negative when no further rule is evaluated. */
  private long budget;

  RuleEvaluation(long budget) {
    this.budget = budget;
  }

  Findings findings() {
    return causes.isEmpty() && warnings.isEmpty() ? Findings.NONE : new Findings(causes, warnings);
  }

  /** What is left of the budget; negative if it is used up. */
  long budget() {
    return budget;
  }

  void validate(
      RuleNode node, Place place, Node value, @Nullable Node old, Correlation correlation) {
    if (budget < 0 || value == Node.Null.NULL) {
      return;
    }
    Node before = old == Node.Null.NULL ? null : old;
    rules(node, place, value, before, correlation);
    for (RuleNode more : node.allOf()) {
      validate(more, place, value, before, correlation.ofAllOf());
    }
    switch (value) {
      case MapNode map -> fields(node, place, map, before, correlation);
      case Items items -> elements(node, place, items, before, correlation);
      case Node.Text _, Node.Int _, Node.Decimal _, Node.Bool _, Node.Null _ -> {
        // has no parts
      }
    }
  }

  private void fields(
      RuleNode node, Place place, MapNode map, @Nullable Node old, Correlation correlation) {
    RuleNode values = node.values();
    Map<String, RuleNode> properties = node.properties();
    if (values == null && properties.isEmpty()) {
      return;
    }
    MapNode before = old instanceof MapNode known ? known : MapNode.EMPTY;
    for (int i = 0; i < map.size() && budget >= 0; i++) {
      String key = map.keyAt(i);
      if (values != null) {
        validate(values, place.key(key), map.valueAt(i), before.get(key), correlation.key(key));
      }
      RuleNode property = properties.get(key);
      if (property != null) {
        validate(property, place.field(key), map.valueAt(i), before.get(key), correlation.key(key));
      }
    }
  }

  private void elements(
      RuleNode node, Place place, Items items, @Nullable Node old, Correlation correlation) {
    RuleNode below = node.items();
    if (below == null) {
      return;
    }
    Correlation.OldItems known = new Correlation.OldItems(node.schema(), old);
    for (int i = 0; i < items.values().size() && budget >= 0; i++) {
      Node item = items.values().get(i);
      Node before = known.of(item);
      validate(below, place.index(i), item, before, correlation.element(item, before));
    }
  }

  private void rules(
      RuleNode node, Place place, Node value, @Nullable Node old, Correlation correlation) {
    List<Rule> rules = node.rules();
    if (rules.isEmpty()) {
      return;
    }
    String type = shownType(node.schema());
    if (budget <= 0) {
      outOfBudget(place, type);
      return;
    }
    Variables variables = new Variables(node, value, old);
    for (Rule rule : rules) {
      if (!rule.error().isEmpty()) {
        invalid(place, type, "rule compile error: " + rule.error());
      } else if (rule.program() != null
          && (old != null || rule.optionalOldSelf() || !rule.usesOldSelf())) {
        evaluate(rule, new At(place, type, value, variables, correlation));
      }
      if (budget < 0) {
        return;
      }
    }
  }

  /** What the rules of a place are evaluated with. */
  private record At(
      Place place, String type, Node value, Variables variables, Correlation correlation) {}

  private void evaluate(Rule rule, At at) {
    if (rule.program() == null) {
      return;
    }
    Frame frame = new Frame(rule.program().slots(), EXPRESSION_LIMIT);
    Object result = null;
    String error = "";
    try {
      at.variables.fill(frame, rule.optionalOldSelf());
      result = rule.program().value(frame);
    } catch (EvaluationError e) {
      error = String.valueOf(e.getMessage());
    } catch (CostExceededException e) {
      error = String.valueOf(e.getMessage());
      exceeded(rule, at, frame, error);
      return;
    } catch (StackOverflowError e) {
      error = "expression is nested too deeply";
    }
    if (frame.cost() > budget) {
      outOfBudget(at.place, at.type);
      return;
    }
    budget -= frame.cost();
    if (error.startsWith("no such overload")) {
      invalid(
          at.place,
          at.type,
          "'"
              + error
              + "': call arguments did not match a supported operator, function or macro signature"
              + " for rule: "
              + rule.shown());
    } else if (!error.isEmpty()) {
      invalid(at.place, at.type, error + " evaluating rule: " + rule.shown());
    } else if (!Boolean.TRUE.equals(result)) {
      failed(rule, at);
    }
  }

  private void exceeded(Rule rule, At at, Frame frame, String error) {
    if (frame.cost() > budget) {
      outOfBudget(at.place, at.type);
      return;
    }
    invalid(
        at.place,
        at.type,
        "'"
            + error
            + "': no further validation rules will be run due to call cost exceeds limit for rule: "
            + rule.shown());
    budget = -1;
  }

  private void failed(Rule rule, At at) {
    String field =
        rule.fieldPath().isEmpty()
            ? at.place.toString()
            : at.place.field(rule.fieldPath()).toString();
    boolean warn = !rule.usesOldSelf() && at.correlation.isUnchanged();
    Optional<String> problem = Optional.empty();
    String detail = rule.failure();
    if (rule.message() != null) {
      Message message = new Message(rule, at);
      detail = message.text.orElse(detail);
      problem = message.fatal;
    }
    add(
        problem.isPresent()
            ? FieldCause.invalid(field, at.type, problem.get())
            : cause(rule, field, at, detail),
        warn);
    if (problem.isPresent()) {
      budget = -1;
    }
  }

  /** The message of a failed rule by its expression. */
  private final class Message {
    private Optional<String> text = Optional.empty();

    /** Why no further rule is evaluated. */
    private Optional<String> fatal = Optional.empty();

    Message(Rule rule, At at) {
      if (rule.message() == null) {
        return;
      }
      Frame frame = new Frame(rule.message().slots(), EXPRESSION_LIMIT);
      boolean exceeded = false;
      try {
        at.variables.fill(frame, rule.optionalOldSelf());
        text = usable(rule.message().value(frame));
      } catch (EvaluationError | StackOverflowError e) {
        // the message is the rule's own then, as Kubernetes has it
        text = Optional.empty();
      } catch (CostExceededException e) {
        exceeded = true;
      }
      if (frame.cost() > budget) {
        text = Optional.empty();
        fatal =
            Optional.of(
                "messageExpression evaluation failed due to running out of cost budget, no further"
                    + " validation rules will be run");
        return;
      }
      budget -= frame.cost();
      if (exceeded) {
        fatal =
            Optional.of(
                "no further validation rules will be run due to call cost exceeds limit for"
                    + " messageExpression: "
                    + GoQuote.quote(rule.source().text("messageExpression")));
      }
    }

    private Optional<String> usable(Object value) {
      String shown = value instanceof String found ? found.strip() : "";
      boolean fits = shown.getBytes(StandardCharsets.UTF_8).length <= MOST_MESSAGE_BYTES;
      return shown.isEmpty() || shown.indexOf('\n') >= 0 || !fits
          ? Optional.empty()
          : Optional.of(shown);
    }
  }

  private static FieldCause cause(Rule rule, String field, At at, String detail) {
    String shown = shown(at.value);
    return switch (rule.source().text("reason")) {
      case "FieldValueForbidden" -> FieldCause.forbidden(field, detail);
      case "FieldValueRequired" -> FieldCause.required(field, detail);
      case "FieldValueDuplicate" ->
          new FieldCause(
              "FieldValueDuplicate",
              shown.isEmpty() ? "Duplicate value" : "Duplicate value: " + shown,
              field);
      default ->
          new FieldCause(
              "FieldValueInvalid",
              shown.isEmpty()
                  ? "Invalid value: " + detail
                  : "Invalid value: " + shown + ": " + detail,
              field);
    };
  }

  /** A scalar as errors show it; objects and lists are not shown. */
  private static String shown(Node value) {
    return switch (value) {
      case Node.Text text -> GoQuote.quote(text.value());
      case Node.Int number -> Long.toString(number.value());
      case Node.Decimal number -> number.literal();
      case Node.Bool truth -> truth.name().toLowerCase(Locale.ROOT);
      case Node.Null _, Items _, MapNode _ -> "";
    };
  }

  private static String shownType(StructuralSchema schema) {
    return schema.source().text("type");
  }

  private void add(FieldCause cause, boolean warn) {
    if (warn) {
      warnings.add(cause.summary());
    } else {
      causes.add(cause);
    }
  }

  private void invalid(Place place, String type, String detail) {
    causes.add(FieldCause.invalid(place.toString(), type, detail));
  }

  private void outOfBudget(Place place, String type) {
    invalid(
        place,
        type,
        "validation failed due to running out of cost budget, no further validation rules will be"
            + " run");
    budget = -1;
  }

  /** The variables of the rules of a place, shared by its rules. */
  private static final class Variables {
    private final RuleNode node;
    private final Node value;
    private final @Nullable Node old;
    private @Nullable Object self;
    private @Nullable Object oldSelf;

    Variables(RuleNode node, Node value, @Nullable Node old) {
      this.node = node;
      this.value = value;
      this.old = old;
    }

    void fill(Frame frame, boolean optional) {
      if (self == null) {
        self = Trees.value(value, node.type());
      }
      if (oldSelf == null && old != null) {
        oldSelf = Trees.value(old, node.type());
      }
      frame.set(Rule.SELF, self);
      frame.set(Rule.OLD_SELF, optional ? Optional.ofNullable(oldSelf) : oldSelf);
    }
  }
}
