package dev.keelson.schema.validation.batch;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.pod.WorkloadRules;
import dev.keelson.value.CronSchedule;
import java.util.function.Consumer;

/** Cron jobs. */
final class CronJobRules implements WorkloadRules {
  private static final int LONGEST_CRON_NAME = 52;

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validateCreate(Value object) {
    Value spec = object.get("spec");
    schedule(spec, /* zoned= */ false);
    zone(spec.get("timeZone"));
    rest(spec);
    Value name = object.get("metadata", "name");
    if (name.text().length() > LONGEST_CRON_NAME) {
      name.invalid("must be no more than 52 characters");
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value spec = object.get("spec");
    schedule(spec, old.get("spec", "schedule").text().contains("TZ"));
    if (!spec.get("timeZone").sameAs(old.get("spec", "timeZone"))) {
      zone(spec.get("timeZone"));
    }
    rest(spec);
  }

  private static void rest(Value spec) {
    Value template = spec.declared("concurrencyPolicy").get("jobTemplate", "spec");
    JobSpecRules.validateJobSpec(template);
    if (template.get("selector").present()) {
      template.get("selector").invalid("`selector` will be auto-generated");
    }
    if (template.get("manualSelector").flag()) {
      template.get("manualSelector").unsupported("nil", "false");
    }
    spec.get("successfulJobsHistoryLimit").nonNegative();
    spec.get("failedJobsHistoryLimit").nonNegative();
  }

  /** {@code zoned} says that the schedule had a zone in it before, and may keep one. */
  private static void schedule(Value spec, boolean zoned) {
    Value schedule = spec.declared("schedule").get("schedule");
    if (schedule.filled()) {
      String problem = CronSchedule.problem(schedule.text());
      if (!problem.isEmpty()) {
        schedule.invalid(problem);
      }
      if (schedule.text().contains("TZ")) {
        if (!zoned) {
          schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
        } else if (spec.get("timeZone").present()) {
          schedule.invalid("cannot use both timeZone field and TZ or CRON_TZ in schedule");
        }
      }
    }
    spec.get("startingDeadlineSeconds").nonNegative();
  }

  private static void zone(Value zone) {
    if (zone.present()) {
      String problem = CronSchedule.zoneProblem(zone.text());
      if (!problem.isEmpty()) {
        zone.invalid(problem);
      }
    }
  }

  @Override
  public void warnAboutPods(Value object, Consumer<String> warnings) {
    JobSpecRules.warnAboutJobSpec(object.get("spec", "jobTemplate", "spec"), warnings);
  }

  @Override
  public void warnOnUpdate(Value object, Value old, Consumer<String> warnings) {
    WorkloadRules.super.warnOnUpdate(object, old, warnings);
    if (object.get("spec", "schedule").text().contains("TZ")) {
      // Kubernetes has the field's path wrong
      warnings.accept(
          "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see"
              + " https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more"
              + " details");
    }
  }
}
