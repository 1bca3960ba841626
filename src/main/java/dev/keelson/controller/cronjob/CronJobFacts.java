package dev.keelson.controller.cronjob;

import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * What the controller keeps of a CronJob between two looks at it.
 *
 * @param timeZone empty if there is none
 */
public record CronJobFacts(ObjectName name, String uid, String schedule, String timeZone) {

  /** Informers of CronJobs. */
  public static final InformerType<CronJobFacts> TYPE =
      new InformerType<>(CronJob.RESOURCE, CronJobFacts::of, List.of());

  private static CronJobFacts of(ApiObject object) {
    MapNode spec = object.root().map("spec");
    return new CronJobFacts(
        ObjectName.of(object.meta()),
        object.meta().uid(),
        spec.text("schedule"),
        spec.text("timeZone"));
  }
}
