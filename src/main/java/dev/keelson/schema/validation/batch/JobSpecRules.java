package dev.keelson.schema.validation.batch;

import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.pod.PodRules;
import dev.keelson.schema.validation.core.pod.PodWarnings;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** The specs of jobs, also in cron jobs. */
final class JobSpecRules {
  private static final int MOST_INDEXED = 100_000;
  private static final int MOST_OF_MANY = 10_000;
  private static final int LONGEST_INDEXES = 64 * 1024;
  private static final int MOST_RULES = 20;
  private static final int LONGEST_MANAGER = 63;
  private static final String[] REPLACEMENTS = {"Failed", "TerminatingOrFailed"};
  private static final String[] POLICY_REPLACEMENTS = {"Failed"};
  private static final String NEEDS_INDEXED = "requires indexed completion mode";

  private JobSpecRules() {}

  static void validateJobSpec(Value spec) {
    for (String field :
        new String[] {
          "parallelism",
          "completions",
          "activeDeadlineSeconds",
          "backoffLimit",
          "ttlSecondsAfterFinished",
          "backoffLimitPerIndex",
          "maxFailedIndexes"
        }) {
      spec.get(field).nonNegative();
    }
    if (spec.get("maxFailedIndexes").present() && spec.get("backoffLimitPerIndex").absent()) {
      spec.get("backoffLimitPerIndex").required("when maxFailedIndexes is specified");
    }
    validateManagedBy(spec.get("managedBy"));
    validateCompletionMode(spec);
    boolean policy = spec.get("podFailurePolicy").present();
    if (policy) {
      validatePodFailurePolicy(spec);
    }
    validateSuccessPolicy(spec);
    String[] replacements = policy ? POLICY_REPLACEMENTS : REPLACEMENTS;
    GivenText.validateKnown(spec.get("podReplacementPolicy"), replacements);
    Value template = spec.get("template").declared();
    PodRules.validatePodTemplateSpec(template);
    Value restart = template.get("spec", "restartPolicy");
    switch (restart.text()) {
      case "Never" -> {}
      case "OnFailure" -> {
        if (policy) {
          restart.invalid("only \"Never\" is supported when podFailurePolicy is specified");
        }
      }
      case "", "Always" -> restart.required("valid values: \"OnFailure\", \"Never\"");
      default -> restart.unsupportedInOrder("OnFailure", "Never");
    }
  }

  private static void validateManagedBy(Value name) {
    if (name.present()) {
      GivenText.validateDomainPath(name);
      if (name.text().length() > LONGEST_MANAGER) {
        name.tooLong(LONGEST_MANAGER);
      }
    }
  }

  private static void validateCompletionMode(Value spec) {
    spec.declared("completionMode");
    if (spec.get("completionMode").is("Indexed")) {
      Value completions = spec.get("completions");
      if (completions.absent()) {
        completions.required("when completion mode is Indexed");
      }
      if (spec.get("parallelism").number() > MOST_INDEXED) {
        spec.get("parallelism")
            .invalid("must be less than or equal to 100000 when completion mode is Indexed");
      }
      validateMaxFailedIndexes(spec, completions);
    }
    Value mode = spec.get("completionMode");
    if (mode.absent() || mode.is("NonIndexed")) {
      for (String field : new String[] {"backoffLimitPerIndex", "maxFailedIndexes"}) {
        if (spec.get(field).present()) {
          spec.get(field).invalid(NEEDS_INDEXED);
        }
      }
    }
  }

  private static void validateSuccessPolicy(Value spec) {
    Value policy = spec.get("successPolicy");
    if (policy.absent()) {
      return;
    }
    if (spec.get("completionMode").is("Indexed")) {
      validateSuccessPolicyRules(policy.get("rules"), spec.get("completions").number());
    } else {
      policy.invalid(NEEDS_INDEXED);
    }
  }

  private static void validateMaxFailedIndexes(Value spec, Value completions) {
    Value failed = spec.get("maxFailedIndexes");
    if (completions.present() && failed.number() > completions.number()) {
      failed.invalid("must be less than or equal to completions");
    }
    if (failed.number() > MOST_INDEXED) {
      failed.invalid("must be less than or equal to 100000");
    }
    if (completions.number() <= MOST_INDEXED || spec.get("backoffLimitPerIndex").absent()) {
      return;
    }
    if (failed.absent()) {
      failed.required("must be specified when completions is above 100000");
    }
    for (String field : new String[] {"parallelism", "maxFailedIndexes"}) {
      if (spec.get(field).number() > MOST_OF_MANY) {
        spec.get(field)
            .invalid(
                "must be less than or equal to 10000 when completions are above 100000 and used"
                    + " with backoff limit per index");
      }
    }
  }

  private static void validateSuccessPolicyRules(Value rules, long completions) {
    if (rules.size() == 0) {
      rules.required("at least one rules must be specified when the successPolicy is specified");
    }
    if (rules.size() > MOST_RULES) {
      rules.tooMany(MOST_RULES);
    }
    for (Value rule : rules) {
      Value indexes = rule.get("succeededIndexes");
      Value count = rule.get("succeededCount");
      if (indexes.absent() && count.absent()) {
        rule.required("at least one of succeededCount or succeededIndexes must be specified");
      }
      long named = 0;
      if (indexes.text().length() > LONGEST_INDEXES) {
        indexes.tooLong(LONGEST_INDEXES);
      }
      if (indexes.filled()) {
        IndexIntervals parsed = IndexIntervals.parse(indexes.text(), completions);
        named = parsed.count();
        if (!parsed.problem().isEmpty()) {
          indexes.invalid("error parsing succeededIndexes: " + parsed.problem());
        }
      }
      count.nonNegative();
      if (count.number() > completions) {
        count.invalid(
            "must be less than or equal to "
                + completions
                + " (the number of specified completions)");
      }
      if (indexes.present() && count.number() > named) {
        count.invalid(
            "must be less than or equal to "
                + named
                + " (the number of indexes in the specified succeededIndexes field)");
      }
    }
  }

  private static void validatePodFailurePolicy(Value spec) {
    Value rules = spec.get("podFailurePolicy", "rules");
    if (rules.size() > MOST_RULES) {
      rules.tooMany(MOST_RULES);
    }
    for (Value rule : rules) {
      Value action = rule.get("action");
      if (action.is("FailIndex")) {
        if (spec.get("backoffLimitPerIndex").absent()) {
          action.invalid("requires the backoffLimitPerIndex to be set");
        }
      } else if (action.filled()) {
        action.oneOf("Count", "FailIndex", "FailJob", "Ignore");
      } else {
        action.required("valid values: [\"Count\" \"FailIndex\" \"FailJob\" \"Ignore\"]");
      }
      Value codes = rule.get("onExitCodes");
      Value conditions = rule.get("onPodConditions");
      if (codes.present()) {
        validateOnExitCodes(codes, spec.get("template", "spec"));
      }
      validateOnPodConditions(conditions);
      if (codes.present() && conditions.size() > 0) {
        rule.wrong("specifying both OnExitCodes and OnPodConditions is not supported");
      } else if (codes.absent() && conditions.size() == 0) {
        rule.wrong("specifying one of OnExitCodes and OnPodConditions is required");
      }
    }
  }

  private static void validateOnPodConditions(Value conditions) {
    if (conditions.size() > MOST_RULES) {
      conditions.tooMany(MOST_RULES);
    }
    for (Value condition : conditions) {
      Labels.validateLabelName(condition.get("type"));
      Value status = condition.get("status");
      if (status.filled()) {
        status.oneOf("False", "True", "Unknown");
      } else {
        status.required("valid values: [\"False\" \"True\" \"Unknown\"]");
      }
    }
  }

  private static void validateOnExitCodes(Value codes, Value pod) {
    Value operator = codes.get("operator");
    if (operator.filled()) {
      operator.oneOf("In", "NotIn");
    } else {
      operator.required("valid values: [\"In\" \"NotIn\"]");
    }
    Value name = codes.get("containerName");
    if (name.present() && !hasContainer(pod, name)) {
      name.invalid("must be one of the container or initContainer names in the pod template");
    }
    Value values = codes.get("values");
    if (values.size() == 0) {
      values.invalid("at least one value is required");
    } else if (values.size() > 255) {
      values.tooMany(255);
    }
    boolean ordered = true;
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < values.size(); i++) {
      Value value = values.at(i);
      if (value.number() == 0 && operator.is("In")) {
        value.invalid("must not be 0 for the In operator");
      }
      if (!seen.add(value.number())) {
        value.duplicate();
      }
      ordered &= i == 0 || value.number() >= values.at(i - 1).number();
    }
    if (!ordered) {
      values.invalid("must be ordered");
    }
  }

  private static boolean hasContainer(Value pod, Value name) {
    for (String list : new String[] {"containers", "initContainers"}) {
      for (Value container : pod.get(list)) {
        if (container.get("name").sameAs(name)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Warns about the spec of a job, also of one in a cron job. */
  static void warnAboutJobSpec(Value spec, Consumer<String> warnings) {
    if (spec.get("completionMode").is("Indexed")
        && spec.get("completions").number() > MOST_INDEXED
        && spec.get("parallelism").number() > MOST_OF_MANY) {
      warnings.accept(
          spec.path()
              + ": In Indexed Jobs with a number of completions higher than 10^5 and a parallelism"
              + " higher than 10^4, Kubernetes might not be able to track completedIndexes when a"
              + " big number of indexes fail");
    }
    PodWarnings.warnAboutTemplate(spec.get("template"), warnings);
  }
}
