package dev.keelson.schema.validation;

import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import java.util.Map;

/** Jobs and cron jobs. */
final class BatchRules {

  private static final int MOST_INDEXED = 100_000;
  private static final int MOST_OF_MANY = 10_000;
  private static final int LONGEST_INDEXES = 64 * 1024;
  private static final int MOST_RULES = 20;
  private static final int LONGEST_CRON_NAME = 52;
  private static final String NEEDS_INDEXED = "requires indexed completion mode";

  private BatchRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put("batch/Job", new Job());
    rules.put("batch/CronJob", new CronJob());
  }

  private static void jobSpec(Value spec) {
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
      spec.get(field).notNegative();
    }
    if (spec.get("maxFailedIndexes").present() && spec.get("backoffLimitPerIndex").absent()) {
      spec.get("backoffLimitPerIndex").required("when maxFailedIndexes is specified");
    }
    indexed(spec);
    Value template = spec.get("template");
    PodRules.template(template);
    Value restart = template.get("spec", "restartPolicy");
    switch (restart.text()) {
      case "Never", "OnFailure" -> {}
      case "", "Always" -> restart.required("valid values: \"OnFailure\", \"Never\"");
      default -> restart.required("valid values: \"OnFailure\", \"Never\"");
    }
    if (spec.get("podFailurePolicy").present()) {
      if (!restart.is("Never")) {
        restart.invalid("only \"Never\" is supported when podFailurePolicy is specified");
      }
      failurePolicy(spec);
      spec.get("podReplacementPolicy").oneOf("Failed");
    }
    spec.get("managedBy").as(Formats.DOMAIN_PATH);
  }

  private static void indexed(Value spec) {
    if (spec.get("completionMode").is("Indexed")) {
      Value completions = spec.get("completions");
      if (completions.absent()) {
        completions.required("when completion mode is Indexed");
      }
      if (spec.get("parallelism").number() > MOST_INDEXED) {
        spec.get("parallelism")
            .invalid("must be less than or equal to 100000 when completion mode is Indexed");
      }
      failedIndexes(spec, completions);
      if (spec.get("successPolicy").present()) {
        successPolicy(spec.get("successPolicy", "rules"), completions.number());
      }
      return;
    }
    for (String field :
        new String[] {"backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"}) {
      if (spec.get(field).present()) {
        spec.get(field).invalid(NEEDS_INDEXED);
      }
    }
  }

  private static void failedIndexes(Value spec, Value completions) {
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
                "must be less than or equal to 10000 when completions are above 100000 and used with"
                    + " backoff limit per index");
      }
    }
  }

  private static void successPolicy(Value rules, long completions) {
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
      count.notNegative();
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

  private static void failurePolicy(Value spec) {
    Value rules = spec.get("podFailurePolicy", "rules");
    if (rules.size() > MOST_RULES) {
      rules.tooMany(MOST_RULES);
    }
    for (Value rule : rules) {
      Value action = rule.get("action");
      if (action.filled()) {
        action.oneOf("Count", "FailIndex", "FailJob", "Ignore");
      } else {
        action.required("valid values: [\"Count\" \"FailIndex\" \"FailJob\" \"Ignore\"]");
      }
      Value codes = rule.get("onExitCodes");
      Value conditions = rule.get("onPodConditions");
      if (codes.present() && conditions.size() > 0) {
        rule.invalid("specifying both OnExitCodes and OnPodConditions is not supported");
      } else if (codes.absent() && conditions.size() == 0) {
        rule.invalid("specifying one of OnExitCodes and OnPodConditions is required");
      }
      if (codes.present()) {
        exitCodes(codes, spec.get("template", "spec"));
      }
      for (Value condition : conditions) {
        Labels.name(condition.get("type"));
        condition.get("status").oneOf("False", "True", "Unknown");
      }
    }
  }

  private static void exitCodes(Value codes, Value pod) {
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
    for (int i = 0; i < values.size(); i++) {
      Value value = values.at(i);
      if (value.number() == 0 && operator.is("In")) {
        value.invalid("must not be 0 for the In operator");
      }
      if (i > 0 && value.number() < values.at(i - 1).number()) {
        values.invalid("must be ordered");
        break;
      }
    }
    values.unique();
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

  private record Job() implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      jobSpec(spec);
      Value selector = spec.get("selector");
      Value labels = spec.get("template", "metadata", "labels");
      if (selector.present()) {
        generated(object, selector);
        Labels.selector(selector);
      } else if (spec.get("manualSelector").flag()) {
        selector.required();
      }
      boolean selects = selector.present() && Labels.matches(selector, labels.map());
      if (!selects && (selector.present() || spec.get("manualSelector").flag())) {
        labels.invalid("`selector` does not match template `labels`");
      }
      indexedName(object.get("metadata", "name"), spec);
    }

    /** A selector that is not the user's must be the one that the server makes. */
    private static void generated(Value object, Value selector) {
      String uid = object.get("metadata", "uid").text();
      String name = object.get("metadata", "name").text();
      if (object.get("spec", "manualSelector").flag() || uid.isEmpty()) {
        return;
      }
      MapNode expected =
          MapNode.builder(4)
              .put("controller-uid", Node.text(uid))
              .put("job-name", Node.text(name))
              .put("batch.kubernetes.io/controller-uid", Node.text(uid))
              .put("batch.kubernetes.io/job-name", Node.text(name))
              .build();
      if (!Labels.matches(selector, expected)) {
        selector.invalid("`selector` not auto-generated");
      }
    }

    /** The pods of an indexed job are named after it and their index. */
    private static void indexedName(Value name, Value spec) {
      long completions = spec.get("completions").number();
      if (!spec.get("completionMode").is("Indexed") || completions <= 0) {
        return;
      }
      String last = name.text() + "-" + (completions - 1);
      if (!Formats.DNS_LABEL.apply(last).isEmpty()) {
        name.invalid("will not able to create pod with invalid DNS label: " + last);
      }
    }

    @Override
    public void changed(Value object, Value old) {
      JobUpdates.check(object, old);
    }

    @Override
    public void statusChanged(Value object, Value old) {
      JobUpdates.status(object, old);
    }
  }

  private record CronJob() implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      schedule(spec);
      spec.get("startingDeadlineSeconds").notNegative();
      spec.get("successfulJobsHistoryLimit").notNegative();
      spec.get("failedJobsHistoryLimit").notNegative();
      Value template = spec.get("jobTemplate");
      PodRules.labels(template.get("metadata", "labels"), template.get("labels"));
      jobSpec(template.get("spec"));
      if (template.get("spec", "selector").present()) {
        template.get("spec", "selector").invalid("`selector` will be auto-generated");
      }
      if (template.get("spec", "manualSelector").flag()) {
        template.get("spec", "manualSelector").unsupported("nil", "false");
      }
    }

    private static void schedule(Value spec) {
      Value schedule = spec.get("schedule");
      Value zone = spec.get("timeZone");
      if (schedule.filled()) {
        String problem = CronSchedule.problem(schedule.text());
        if (!problem.isEmpty()) {
          schedule.invalid(problem);
        }
        if (schedule.text().contains("TZ")) {
          schedule.invalid(
              zone.present()
                  ? "cannot use both timeZone field and TZ or CRON_TZ in schedule"
                  : "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
        }
      }
      if (zone.present()) {
        String problem = CronSchedule.zoneProblem(zone.text());
        if (!problem.isEmpty()) {
          zone.invalid(problem);
        }
      }
    }

    @Override
    public void created(Value object) {
      Value name = object.get("metadata", "name");
      if (name.text().length() > LONGEST_CRON_NAME) {
        name.invalid("must be no more than 52 characters");
      }
    }
  }
}
