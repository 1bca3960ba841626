package dev.keelson.controller.cronjob;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.cronjob.CronJobSync.Start;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.workload.JobFacts;
import dev.keelson.controller.workload.Owner;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Creates the Jobs of CronJobs at their times, and deletes old ones (source: Kubernetes' {@code
 * pkg/controller/cronjob}).
 */
public final class CronJobController implements Controller {

  /** The name of the controller, and of its service account. */
  public static final String NAME = "cronjob-controller";

  private static final String KIND = "CronJob";

  /** As kube-controller-manager ({@code --concurrent-cron-job-syncs}). */
  private static final int WORKERS = 5;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  private final ApiClient client;
  private final EventRecorder events;
  private final Informer<JobFacts> jobs;
  private final Informer<CronJobFacts> cronJobs;
  private final InstantSource clock;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("cronjob", FIRST_PAUSE, LONGEST_PAUSE);

  /** Those whose schedule has changed since they were looked at. */
  private final Set<ObjectName> rescheduled = ConcurrentHashMap.newKeySet();

  private final ControllerLoop workers =
      ControllerLoop.workers("cronjob", WORKERS, queue, this::reconcile);

  /**
   * Not yet started.
   *
   * @param jobs shared with other controllers; followed by the caller
   * @param cronJobs followed by the caller
   * @param nanos a monotonic clock, in nanoseconds
   */
  public CronJobController(
      ApiClient client,
      Informer<JobFacts> jobs,
      Informer<CronJobFacts> cronJobs,
      InstantSource clock,
      LongSupplier nanos) {
    this.client = client;
    this.events = new EventRecorder(client, NAME, clock, nanos);
    this.jobs = jobs;
    this.cronJobs = cronJobs;
    this.clock = clock;
  }

  @Override
  public void start() throws InterruptedException {
    cronJobs.listen(new CronJobChanges());
    jobs.listen(new JobChanges());
    events.start();
    cronJobs.awaitSync();
    jobs.awaitSync();
    workers.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    workers.close();
    events.close();
  }

  private Outcome reconcile(ObjectName name) throws InterruptedException {
    CronJob cronJob =
        client.get(CronJob.RESOURCE, name.namespace(), name.name()).map(CronJob::new).orElse(null);
    if (cronJob == null) {
      return Outcome.DONE;
    }
    try {
      CronJobSync sync =
          new CronJobSync(
              client,
              events,
              cronJob,
              jobs.by(JobFacts.BY_OWNER, cronJob.meta().uid()),
              clock.instant());
      Start start = rescheduled.remove(name) ? Start.LATER : Start.WHEN_DUE;
      sync.run(start).ifPresent(wait -> queue.addAfter(name, wait));
      return Outcome.DONE;
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT) {
        // somebody else has written it
        return Outcome.RETRY;
      }
      throw e;
    }
  }

  private final class CronJobChanges implements ObjectListener<CronJobFacts> {

    @Override
    public void added(ObjectName name, CronJobFacts cronJob) {
      queue.add(name);
    }

    @Override
    public void updated(ObjectName name, CronJobFacts before, CronJobFacts after) {
      if (before.uid().equals(after.uid())
          && !(before.schedule().equals(after.schedule())
              && before.timeZone().equals(after.timeZone()))) {
        boolean unused = rescheduled.add(name);
      }
      queue.add(name);
    }

    @Override
    public void deleted(ObjectName name, CronJobFacts last) {
      // its Jobs are garbage
      boolean unused = rescheduled.remove(name);
    }
  }

  private final class JobChanges implements ObjectListener<JobFacts> {

    @Override
    public void added(ObjectName name, JobFacts job) {
      wake(job);
    }

    @Override
    public void updated(ObjectName name, JobFacts before, JobFacts after) {
      Owner owner = before.owner();
      if (owner != null && !owner.equals(after.owner())) {
        wake(before);
      }
      wake(after);
    }

    @Override
    public void deleted(ObjectName name, JobFacts last) {
      wake(last);
    }

    private void wake(JobFacts job) {
      Owner owner = job.owner();
      if (owner == null || !owner.kind().equals(KIND)) {
        return;
      }
      ObjectName name = new ObjectName(job.name().namespace(), owner.name());
      cronJobs
          .get(name)
          .filter(cronJob -> cronJob.uid().equals(owner.uid()))
          .ifPresent(cronJob -> queue.add(name));
    }
  }
}
