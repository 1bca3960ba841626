package dev.keelson.http.access;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Names;
import dev.keelson.authz.Selection;
import dev.keelson.authz.Selection.Requirement;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A selector of an access review (KEP-4601): a raw selector or requirements, never both (source:
 * Kubernetes' {@code registry/authorization/util}).
 *
 * <p>What cannot be understood is left out, as newer clients may send operators that are unknown
 * here. That asks about more objects and never allows too much.
 *
 * @param selection what is understood
 * @param problem empty if that is all of it, else what is told about the rest
 */
record ReviewSelector(Selection selection, String problem) {

  private static final String RAW = "rawSelector";
  private static final String REQUIREMENTS = "requirements";
  private static final String IN = "In";
  private static final String NOT_IN = "NotIn";
  private static final String EXISTS = "Exists";
  private static final String DOES_NOT_EXIST = "DoesNotExist";

  /** Reads a field selector; of its operators, those of queries are understood. */
  static ReviewSelector ofFields(MapNode attributes) {
    return of(
        attributes,
        FieldSelector::parse,
        requirement ->
            requirement.values().size() == 1
                && (requirement.operator().equals(IN) || requirement.operator().equals(NOT_IN)));
  }

  /** Reads a label selector. */
  static ReviewSelector ofLabels(MapNode attributes) {
    return of(
        attributes,
        LabelSelector::parse,
        requirement ->
            switch (requirement.operator()) {
              case IN, NOT_IN, EXISTS, DOES_NOT_EXIST -> true;
              default -> false;
            });
  }

  private static ReviewSelector of(
      MapNode attributes, Consumer<String> parser, Predicate<Requirement> known) {
    String raw = attributes.text(RAW);
    if (!raw.isEmpty()) {
      try {
        parser.accept(raw);
        return new ReviewSelector(Selection.of(raw), "");
      } catch (ApiException malformed) {
        return new ReviewSelector(Selection.NONE, "ignored due to parse error");
      }
    }
    List<Requirement> sent = requirements(attributes);
    List<Requirement> understood = sent.stream().filter(known).toList();
    if (understood.isEmpty()) {
      return new ReviewSelector(Selection.NONE, sent.isEmpty() ? "" : "ignored due to parse error");
    }
    return new ReviewSelector(
        new Selection.Requirements(understood),
        understood.size() == sent.size() ? "" : "partially ignored due to parse error");
  }

  private static List<Requirement> requirements(MapNode attributes) {
    List<Requirement> requirements = new ArrayList<>();
    for (Node node : attributes.items(REQUIREMENTS)) {
      MapNode requirement = node instanceof MapNode map ? map : MapNode.EMPTY;
      List<String> values = new ArrayList<>();
      for (Node value : requirement.items("values")) {
        if (value instanceof Node.Text(String text)) {
          values.add(text);
        }
      }
      requirements.add(
          new Requirement(requirement.text("key"), requirement.text("operator"), values));
    }
    return requirements;
  }

  /** Returns the violations of a field selector that is at a path of the review. */
  static List<FieldCause> fieldViolations(MapNode attributes, String path) {
    List<FieldCause> causes = shape(attributes, path);
    List<Requirement> requirements = requirements(attributes);
    for (int i = 0; i < requirements.size(); i++) {
      String at = path + "." + REQUIREMENTS + "[" + i + "]";
      if (requirements.get(i).key().isEmpty()) {
        causes.add(FieldCause.required(at + ".key", "must be specified"));
      }
      checkValues(requirements.get(i), at, causes);
    }
    return causes;
  }

  /** Returns the violations of a label selector that is at a path of the review. */
  static List<FieldCause> labelViolations(MapNode attributes, String path) {
    List<FieldCause> causes = shape(attributes, path);
    List<Requirement> requirements = requirements(attributes);
    for (int i = 0; i < requirements.size(); i++) {
      Requirement requirement = requirements.get(i);
      String at = path + "." + REQUIREMENTS + "[" + i + "]";
      checkValues(requirement, at, causes);
      add(causes, at + ".key", requirement.key(), Names.qualifiedName(requirement.key()));
      for (int j = 0; j < requirement.values().size(); j++) {
        String value = requirement.values().get(j);
        add(causes, at + ".values[" + j + "]", value, Names.labelValue(value));
      }
    }
    return causes;
  }

  private static List<FieldCause> shape(MapNode attributes, String path) {
    List<FieldCause> causes = new ArrayList<>();
    String raw = attributes.text(RAW);
    boolean requirements = !attributes.items(REQUIREMENTS).isEmpty();
    if (!raw.isEmpty() && requirements) {
      causes.add(
          FieldCause.invalid(
              path + "." + RAW, raw, "may not specified at the same time as requirements"));
    }
    if (raw.isEmpty() && !requirements) {
      causes.add(
          FieldCause.required(
              path + "." + REQUIREMENTS,
              "when " + path + " is specified, requirements or rawSelector is required"));
    }
    return causes;
  }

  /** Unknown operators are taken, with any number of values. */
  private static void checkValues(Requirement requirement, String at, List<FieldCause> causes) {
    switch (requirement.operator()) {
      case IN, NOT_IN -> {
        if (requirement.values().isEmpty()) {
          causes.add(
              FieldCause.required(
                  at + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
        }
      }
      case EXISTS, DOES_NOT_EXIST -> {
        if (!requirement.values().isEmpty()) {
          causes.add(
              FieldCause.forbidden(
                  at + ".values",
                  "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
        }
      }
      default -> {
        // an operator of a newer client
      }
    }
  }

  private static void add(List<FieldCause> causes, String field, String value, String problems) {
    problems.lines().forEach(problem -> causes.add(FieldCause.invalid(field, value, problem)));
  }
}
