package dev.keelson.schema.validation.resource;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import java.util.function.Consumer;

/**
 * What a claim asks for: requests, constraints over them, and configurations.
 *
 * @param selectors the rules of device selectors
 */
record DeviceClaimRules(SelectorRules selectors) {

  private static final int MOST_REQUESTS = 32;
  private static final int MOST_ALTERNATIVES = 8;
  private static final int MOST_CONSTRAINTS = 32;
  private static final String EXACTLY_ONE =
      "exactly one of `exactly` or `firstAvailable` is required";

  /** Validates the spec of a claim. */
  void validate(Value spec) {
    Value devices = spec.get("devices");
    RequestNames names = RequestNames.of(devices);
    set(devices.get("requests"), MOST_REQUESTS, this::request);
    Value constraints = devices.get("constraints");
    if (constraints.size() > MOST_CONSTRAINTS) {
      constraints.tooMany(MOST_CONSTRAINTS);
    } else {
      for (Value constraint : constraints) {
        constraint(constraint, names);
      }
    }
    Value config = devices.get("config");
    if (ConfigurationRules.hasValidSize(config)) {
      for (Value each : config) {
        names.references(each.get("requests"));
        ConfigurationRules.validate(each, /* limited= */ true);
      }
    }
  }

  /** A list of at most {@code most} elements with names that differ. */
  private static void set(Value list, int most, Consumer<Value> each) {
    if (list.size() > most) {
      list.tooMany(most);
      return;
    }
    ValueSet names = new ValueSet();
    for (Value element : list) {
      each.accept(element);
    }
    for (Value element : list) {
      Value name = element.get("name").orEmpty();
      if (!names.add(name.node())) {
        element.duplicate(name.text());
      }
    }
  }

  private void request(Value request) {
    DeviceNames.label(request.get("name").orEmpty());
    Value exactly = request.get("exactly");
    Value alternatives = request.get("firstAvailable");
    boolean hasAlternatives = alternatives.size() > 0;
    if (exactly.absent() && !hasAlternatives) {
      request.required(EXACTLY_ONE);
    } else if (exactly.present() && hasAlternatives) {
      request.wrong("null: " + EXACTLY_ONE + ", but multiple fields are set");
    } else if (hasAlternatives) {
      set(
          alternatives,
          MOST_ALTERNATIVES,
          alternative -> {
            DeviceNames.label(alternative.get("name").orEmpty());
            exact(alternative);
          });
    } else {
      exact(exactly);
    }
  }

  private void exact(Value request) {
    request.get("deviceClassName").needed().as(Formats.DNS_SUBDOMAIN);
    selectors.validate(request.get("selectors"));
    allocationMode(request.get("allocationMode"), request.get("count").orZero());
    TaintRules.tolerations(request.get("tolerations"));
  }

  private static void allocationMode(Value mode, Value count) {
    switch (mode.text()) {
      case "All" -> {
        if (count.number() != 0) {
          count.invalid("must not be specified when allocationMode is 'All'");
        }
      }
      case "ExactCount" -> {
        if (count.number() <= 0) {
          count.invalid("must be greater than zero");
        }
      }
      default -> mode.orEmpty().unsupported("All", "ExactCount");
    }
  }

  private static void constraint(Value constraint, RequestNames names) {
    names.references(constraint.get("requests"));
    Value match = constraint.get("matchAttribute");
    Value distinct = constraint.get("distinctAttribute");
    if (match.present()) {
      DeviceNames.fullyQualified(match);
    } else if (distinct.present()) {
      DeviceNames.fullyQualified(distinct);
    } else {
      // the message is that of Kubernetes, whatever is set
      constraint.required(
          "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple"
              + " fields are set");
    }
  }
}
