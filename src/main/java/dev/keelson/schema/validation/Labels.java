package dev.keelson.schema.validation;

import dev.keelson.api.Names;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/** Labels and the selectors over them. */
public final class Labels {
  private static final String NEEDS_VALUES = "must be specified when `operator` is 'In' or 'NotIn'";
  private static final String NO_VALUES =
      "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";

  private Labels() {}

  /** A map of labels: keys are qualified names, values label values. */
  public static void validateLabels(Value labels) {
    MapNode map = labels.map();
    for (int i = 0; i < map.size(); i++) {
      String problem = Names.qualifiedName(map.keyAt(i));
      if (!problem.isEmpty()) {
        labels.invalid(map.keyAt(i), problem);
      }
      if (map.valueAt(i) instanceof Node.Text value) {
        String valueProblem = Names.labelValue(value.value());
        if (!valueProblem.isEmpty()) {
          labels.invalid(value.value(), valueProblem);
        }
      }
    }
  }

  /** A {@code LabelSelector}; an absent one is fine. */
  public static void validateLabelSelector(Value selector) {
    validateLabelSelector(selector, LabelValues.VALID);
  }

  /** Which values of labels a selector may ask for. */
  public enum LabelValues {
    /** Those that labels can have. */
    VALID,
    /** All, for an object that has been stored with others. */
    ANY
  }

  /** Validates a LabelSelector; other values than {@code values} are reported. */
  public static void validateLabelSelector(Value selector, LabelValues allowed) {
    validateLabels(selector.get("matchLabels"));
    for (Value each : selector.get("matchExpressions")) {
      Value values = each.get("values");
      switch (each.get("operator").text()) {
        case "In", "NotIn" -> {
          if (values.size() == 0) {
            values.required(NEEDS_VALUES);
          }
        }
        case "Exists", "DoesNotExist" -> {
          if (values.size() > 0) {
            values.forbidden(NO_VALUES);
          }
        }
        default -> each.get("operator").orEmpty().invalid("not a valid selector operator");
      }
      validateLabelName(each.get("key"));
      if (allowed == LabelValues.VALID) {
        for (Value value : values) {
          // what is stored already may stay
          if (!value.isStored(value.text())) {
            value.as(Formats.LABEL_VALUE);
          }
        }
      }
    }
  }

  /** A label key, which is required. */
  public static void validateLabelName(Value key) {
    String problem = Names.qualifiedName(key.text());
    if (!problem.isEmpty()) {
      key.orEmpty().invalid(problem);
    }
  }

  /** An absent string as the empty one that it stands for. */
  public static Value orEmpty(Value value) {
    return value.present() ? value : value.holding(Node.text(""));
  }

  public static boolean isEmpty(Value selector) {
    return selector.get("matchLabels").size() == 0 && selector.get("matchExpressions").size() == 0;
  }

  /** Whether {@code selector}, a valid LabelSelector, selects {@code labels}. */
  public static boolean matches(Value selector, MapNode labels) {
    if (!contains(labels, selector.get("matchLabels").map())) {
      return false;
    }
    for (Value each : selector.get("matchExpressions")) {
      Node value = labels.get(each.get("key").text());
      List<Node> values = each.get("values").items();
      boolean fits =
          switch (each.get("operator").text()) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            default -> value == null;
          };
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@code labels} has all entries of {@code wanted}. */
  public static boolean contains(MapNode labels, MapNode wanted) {
    for (int i = 0; i < wanted.size(); i++) {
      if (!wanted.valueAt(i).equals(labels.get(wanted.keyAt(i)))) {
        return false;
      }
    }
    return true;
  }

  /** A node selector with required terms. */
  public static void validateNodeSelector(Value selector) {
    Value terms = selector.get("nodeSelectorTerms");
    terms.needed("must have at least one node selector term");
    for (Value term : terms) {
      validateNodeSelectorTerm(term, true);
    }
  }

  /**
   * One term of a node selector.
   *
   * @param values whether the values must be values of labels; what is only preferred may name
   *     others
   */
  public static void validateNodeSelectorTerm(Value term, boolean values) {
    for (Value each : term.get("matchExpressions")) {
      validateNodeSelectorRequirement(each, values);
    }
    for (Value each : term.get("matchFields")) {
      validateNodeFieldSelector(each);
    }
  }

  private static void validateNodeSelectorRequirement(Value each, boolean checksValues) {
    Value values = each.get("values");
    switch (each.get("operator").text()) {
      case "In", "NotIn" -> {
        if (values.size() == 0) {
          values.required(NEEDS_VALUES);
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (values.size() > 0) {
          values.forbidden(NO_VALUES);
        }
      }
      case "Gt", "Lt" -> {
        if (values.size() != 1) {
          values.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
      }
      default -> each.get("operator").orEmpty().invalid("not a valid selector operator");
    }
    validateLabelName(each.get("key"));
    if (checksValues) {
      for (Value value : values) {
        // what is stored already may stay
        if (!value.isStored(value.text())) {
          value.as(Formats.LABEL_VALUE);
        }
      }
    }
  }

  private static void validateNodeFieldSelector(Value each) {
    Value operator = each.get("operator");
    Value values = each.get("values");
    if (operator.is("In") || operator.is("NotIn")) {
      if (values.size() != 1) {
        values.required(
            "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
      }
    } else {
      operator.orEmpty().invalid("not a valid selector operator");
    }
    if (!each.get("key").is("metadata.name")) {
      each.get("key").orEmpty().invalid("not a valid field selector key");
    } else {
      for (Value value : values) {
        GivenText.validate(value.orEmpty(), Formats.DNS_SUBDOMAIN);
      }
    }
  }
}
