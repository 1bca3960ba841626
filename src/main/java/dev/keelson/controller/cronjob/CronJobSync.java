package dev.keelson.controller.cronjob;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.workload.JobFacts;
import dev.keelson.controller.workload.Owner;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.CronSchedule;
import dev.keelson.value.GoQuote;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One look at a CronJob (source: {@code cronjob_controllerv2.go}). Confined to one thread. */
final class CronJobSync {

  /** A Job is created this long after its time, so that a late clock does not miss it. */
  private static final Duration NEXT_DELTA = Duration.ofMillis(100);

  private static final DateTimeFormatter RFC_1123 =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss xx", Locale.ENGLISH);

  private final ApiClient client;
  private final EventRecorder events;
  private final CronJob cronJob;
  private final List<JobFacts> jobs;
  private final Instant now;

  /** Whether Jobs are created. */
  enum Start {
    /** When their time has come. */
    WHEN_DUE,
    /** No Job: the schedule is a new one, and holds for times to come. */
    LATER
  }

  /**
   * @param jobs whose controller the CronJob is
   */
  CronJobSync(
      ApiClient client, EventRecorder events, CronJob cronJob, List<JobFacts> jobs, Instant now) {
    this.client = client;
    this.events = events;
    this.cronJob = cronJob;
    this.jobs = List.copyOf(jobs);
    this.now = now;
  }

  /**
   * Removes old Jobs, creates the Job of a time that has come, and writes the status.
   *
   * @return when to look again; empty if only a change of the CronJob or a Job matters
   */
  Optional<Duration> run(Start start) throws InterruptedException {
    removeOld("Complete", cronJob.successfulLimit());
    removeOld("Failed", cronJob.failedLimit());
    Optional<Duration> again;
    try {
      reviewActive();
      again = cronJob.meta().deleting() ? Optional.empty() : schedule(start);
    } catch (ApiException e) {
      writeStatus();
      throw e;
    }
    writeStatus();
    return again;
  }

  private void writeStatus() throws InterruptedException {
    if (cronJob.changed()) {
      Written unused = client.updateStatus(CronJob.RESOURCE, cronJob.updated());
    }
  }

  private void record(Type type, String reason, String message) {
    events.record(cronJob.reference(), type, reason, message);
  }

  private void removeOld(String finished, @Nullable Integer limit) throws InterruptedException {
    if (limit == null) {
      return;
    }
    Comparator<JobFacts> byStart =
        Comparator.<JobFacts, Instant>comparing(
                job -> job.started().equals(Instant.EPOCH) ? Instant.MAX : job.started())
            .thenComparing(job -> job.name().name());
    List<JobFacts> ended =
        jobs.stream().filter(job -> job.finished().equals(finished)).sorted(byStart).toList();
    for (JobFacts job : ended.subList(0, Math.max(0, ended.size() - limit))) {
      boolean unused = delete(job);
    }
  }

  private boolean delete(JobFacts job) throws InterruptedException {
    ObjectName name = job.name();
    try {
      client.delete(
          JobFacts.RESOURCE,
          name.namespace(),
          name.name(),
          new DeleteRequest("", "", Dependents.BACKGROUND));
    } catch (ApiException e) {
      record(Type.WARNING, "FailedDelete", "Deleted job: " + e.text());
      return false;
    }
    cronJob.deactivate(job.uid());
    record(Type.NORMAL, "SuccessfulDelete", "Deleted job " + name.name());
    return true;
  }

  private void reviewActive() throws InterruptedException {
    for (JobFacts job : jobs) {
      boolean active = cronJob.isActive(job.uid());
      String name = job.name().name();
      if (!active && !job.isFinished()) {
        record(
            Type.WARNING,
            "UnexpectedJob",
            "Saw a job that the controller did not create or forgot: " + name);
      } else if (active && job.isFinished()) {
        cronJob.deactivate(job.uid());
        record(
            Type.NORMAL,
            "SawCompletedJob",
            "Saw completed job: " + name + ", condition: " + job.finished());
      }
      if (job.finished().equals("Complete")) {
        cronJob.succeeded(job.completed());
      }
    }
    Set<String> known = jobs.stream().map(JobFacts::uid).collect(Collectors.toSet());
    for (MapNode job : cronJob.active()) {
      // the informer may not have told it yet
      if (!known.contains(job.text("uid")) && find(job.text("name")).isEmpty()) {
        record(Type.NORMAL, "MissingJob", "Active job went missing: " + job.text("name"));
        cronJob.deactivate(job.text("uid"));
      }
    }
  }

  private Optional<JobFacts> find(String job) throws InterruptedException {
    return client.get(JobFacts.RESOURCE, cronJob.meta().namespace(), job).map(JobFacts::of);
  }

  private Optional<Duration> schedule(Start start) throws InterruptedException {
    String zoneName = cronJob.timeZone();
    if (!zoneName.isEmpty() && !CronSchedule.zoneProblem(zoneName).isEmpty()) {
      record(
          Type.WARNING,
          "UnknownTimeZone",
          "invalid timeZone: " + GoQuote.quote(zoneName) + ": unknown time zone " + zoneName);
      return Optional.empty();
    }
    if (cronJob.isSuspended()) {
      return Optional.empty();
    }
    String schedule = cronJob.schedule();
    if (schedule.contains("TZ")) {
      record(
          Type.WARNING,
          "UnsupportedSchedule",
          "CRON_TZ or TZ used in schedule "
              + GoQuote.quote(schedule)
              + " is not officially supported, see"
              + " https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/"
              + " for more details");
    }
    String problem = CronSchedule.problem(schedule);
    if (!problem.isEmpty()) {
      record(
          Type.WARNING,
          "UnparseableSchedule",
          "unparseable schedule: " + GoQuote.quote(schedule) + " : " + problem);
      return Optional.empty();
    }
    ZoneId zone = zone(zoneName);
    CronTimes times = new CronTimes(CronSchedule.parse(schedule), zone);
    MissedRuns missed = MissedRuns.of(times, earliest(), now).orElse(null);
    if (missed == null) {
      record(
          Type.WARNING,
          "InvalidSchedule",
          "invalid schedule: "
              + schedule
              + " : time difference between two schedules is less than 1 second");
      return Optional.empty();
    }
    Instant due = missed.latest();
    if (due != null && start == Start.WHEN_DUE) {
      if (missed.areMany()) {
        record(
            Type.WARNING,
            "TooManyMissedTimes",
            "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check"
                + " clock skew");
      }
      if (mayStart(due) && !start(due, zone)) {
        return Optional.empty();
      }
    }
    return untilNext(times, cronJob, now);
  }

  static ZoneId zone(String name) {
    return name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name);
  }

  /** Runs that are later than the deadline are not looked for. */
  private Instant earliest() {
    Instant last = cronJob.lastRun();
    Duration deadline = cronJob.startingDeadline();
    if (deadline != null && now.minus(deadline).isAfter(last)) {
      return now.minus(deadline);
    }
    return last;
  }

  /** The time until the next run, and a little longer, for clocks that are late. */
  static Optional<Duration> untilNext(CronTimes times, CronJob cronJob, Instant now) {
    Instant from =
        MissedRuns.of(times, cronJob.lastRun(), now).map(missed -> missed.before(now)).orElse(now);
    return times.next(from).map(next -> Duration.between(now, next).plus(NEXT_DELTA));
  }

  private boolean mayStart(Instant due) {
    Duration deadline = cronJob.startingDeadline();
    if (deadline != null && due.plus(deadline).isBefore(now)) {
      record(
          Type.WARNING,
          "MissSchedule",
          "Missed scheduled time to start a job: " + RFC_1123.format(due.atOffset(ZoneOffset.UTC)));
      return false;
    }
    if (cronJob.isActiveByName(cronJob.jobName(due)) || cronJob.hasRunAt(due)) {
      return false;
    }
    if (cronJob.forbidsConcurrency() && !cronJob.active().isEmpty()) {
      record(
          Type.NORMAL,
          "JobAlreadyActive",
          "Not starting job because prior execution is running and concurrency policy is Forbid");
      return false;
    }
    return true;
  }

  /** Creates the Job of a time; false if another one has its name. */
  private boolean start(Instant due, ZoneId zone) throws InterruptedException {
    if (cronJob.replacesRunning()) {
      endRunning();
    }
    try {
      JobFacts job = JobFacts.of(client.create(JobFacts.RESOURCE, cronJob.job(due, zone)).object());
      record(Type.NORMAL, "SuccessfulCreate", "Created job " + job.name().name());
      cronJob.activate(job, due);
      return true;
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        if (!e.isNamespaceTerminating()) {
          record(Type.WARNING, "FailedCreate", "Error creating job: " + e.text());
        }
        throw e;
      }
    }
    // it may be ours, if its creation was the last that a controller did
    JobFacts job = find(cronJob.jobName(due)).orElse(null);
    Owner owner = job == null ? null : job.owner();
    if (job == null
        || owner == null
        || !owner.uid().equals(cronJob.meta().uid())
        || cronJob.isActive(job.uid())) {
      return false;
    }
    cronJob.activate(job, due);
    return true;
  }

  private void endRunning() throws InterruptedException {
    for (MapNode reference : cronJob.active()) {
      JobFacts job = find(reference.text("name")).orElse(null);
      if (job == null) {
        ApiException missing =
            ApiException.notFound(JobFacts.RESOURCE.groupResource(), reference.text("name"));
        record(Type.WARNING, "FailedGet", "Get job: " + missing.text());
        throw missing;
      }
      if (!delete(job)) {
        throw new ApiException(Reason.INTERNAL_ERROR, "could not replace job " + job.name());
      }
    }
  }
}
