package dev.keelson.controller.cronjob;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.JobFacts;
import dev.keelson.controller.workload.Numbers;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A CronJob while it is worked on: its status changes. Confined to one thread. */
final class CronJob {

  static final GroupVersionResource RESOURCE = new GroupVersion("batch", "v1").resource("cronjobs");

  private static final String KIND = "CronJob";
  private static final String SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp";
  private static final int SECONDS_OF_MINUTE = 60;

  private final ApiObject object;
  private final List<MapNode> active;
  private String lastScheduleTime;
  private String lastSuccessfulTime;
  private boolean changed;

  CronJob(ApiObject object) {
    this.object = object;
    MapNode status = object.root().map("status");
    this.active = new ArrayList<>(status.maps("active"));
    this.lastScheduleTime = status.text("lastScheduleTime");
    this.lastSuccessfulTime = status.text("lastSuccessfulTime");
  }

  private MapNode spec() {
    return object.root().map("spec");
  }

  ObjectMeta meta() {
    return object.meta();
  }

  ObjectName name() {
    return ObjectName.of(meta());
  }

  String schedule() {
    return spec().text("schedule");
  }

  /** Empty if there is none. */
  String timeZone() {
    return spec().text("timeZone");
  }

  boolean isSuspended() {
    return spec().get("suspend") == Node.Bool.TRUE;
  }

  /** Null if runs may be late by any time. */
  @Nullable Duration startingDeadline() {
    Integer seconds = Numbers.orNull(spec(), "startingDeadlineSeconds");
    return seconds == null ? null : Duration.ofSeconds(seconds);
  }

  boolean forbidsConcurrency() {
    return spec().text("concurrencyPolicy").equals("Forbid");
  }

  boolean replacesRunning() {
    return spec().text("concurrencyPolicy").equals("Replace");
  }

  /** How many Jobs that completed to keep; null for all. */
  @Nullable Integer successfulLimit() {
    return Numbers.orNull(spec(), "successfulJobsHistoryLimit");
  }

  /** How many Jobs that failed to keep; null for all. */
  @Nullable Integer failedLimit() {
    return Numbers.orNull(spec(), "failedJobsHistoryLimit");
  }

  /** The last run, or the creation. */
  Instant lastRun() {
    return Times.instant(
        lastScheduleTime.isEmpty() ? meta().creationTimestamp() : lastScheduleTime);
  }

  boolean hasRunAt(Instant time) {
    return !lastScheduleTime.isEmpty() && Times.instant(lastScheduleTime).equals(time);
  }

  /** The Jobs that run, as references. */
  List<MapNode> active() {
    return List.copyOf(active);
  }

  boolean isActive(String uid) {
    return active.stream().anyMatch(job -> job.text("uid").equals(uid));
  }

  boolean isActiveByName(String name) {
    return active.stream().anyMatch(job -> job.text("name").equals(name));
  }

  void deactivate(String uid) {
    changed = true;
    boolean unused = active.removeIf(job -> job.text("uid").equals(uid));
  }

  void activate(JobFacts job, Instant time) {
    changed = true;
    active.add(
        MapNode.builder(5)
            .put("kind", Node.text(JobFacts.KIND))
            .put("namespace", Node.text(job.name().namespace()))
            .put("name", Node.text(job.name().name()))
            .put("uid", Node.text(job.uid()))
            .put("apiVersion", Node.text(JobFacts.RESOURCE.apiVersion()))
            .put("resourceVersion", Node.text(job.resourceVersion()))
            .build());
    lastScheduleTime = Times.text(time);
  }

  void succeeded(Instant time) {
    if (!time.equals(Instant.EPOCH)
        && (lastSuccessfulTime.isEmpty() || time.isAfter(Times.instant(lastSuccessfulTime)))) {
      lastSuccessfulTime = Times.text(time);
      changed = true;
    }
  }

  boolean changed() {
    return changed;
  }

  /** The CronJob with the new status. */
  ApiObject updated() {
    MapNode.Builder status = MapNode.builder(3);
    if (!active.isEmpty()) {
      status.put("active", new Node.Items(List.copyOf(active)));
    }
    if (!lastScheduleTime.isEmpty()) {
      status.put("lastScheduleTime", Node.text(lastScheduleTime));
    }
    if (!lastSuccessfulTime.isEmpty()) {
      status.put("lastSuccessfulTime", Node.text(lastSuccessfulTime));
    }
    return object.with("status", status.build());
  }

  /** The name of the Job of a time: no two have one. */
  String jobName(Instant time) {
    return meta().name() + "-" + time.getEpochSecond() / SECONDS_OF_MINUTE;
  }

  /** The Job of a time. */
  ApiObject job(Instant time, ZoneId zone) {
    MapNode template = spec().map("jobTemplate");
    MapNode given = template.map("metadata");
    String scheduled = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time.atZone(zone));
    MapNode.Builder metadata =
        MapNode.builder(5)
            .put("name", Node.text(jobName(time)))
            .put("namespace", Node.text(meta().namespace()))
            .put("annotations", given.map("annotations").with(SCHEDULED, Node.text(scheduled)))
            .put("ownerReferences", new Node.Items(List.of(Owner.reference(reference()))));
    if (given.has("labels")) {
      metadata.put("labels", given.map("labels"));
    }
    return new ApiObject(
            MapNode.of("metadata", metadata.build()).with("spec", template.map("spec")))
        .withType(JobFacts.RESOURCE.apiVersion(), JobFacts.KIND);
  }

  ObjectReference reference() {
    return ObjectReference.of(RESOURCE.apiVersion(), KIND, meta());
  }
}
