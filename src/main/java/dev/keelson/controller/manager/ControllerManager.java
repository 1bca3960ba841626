package dev.keelson.controller.manager;

import dev.keelson.client.election.LeaderElector;
import dev.keelson.client.election.LeaderWrites;
import dev.keelson.client.election.LeaseTerms;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs controllers while this process is the leader. A process that has lost the leadership ends
 * its controllers, whose writes are refused from that moment on, and is a candidate again unless it
 * is to end.
 */
public final class ControllerManager implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(ControllerManager.class);

  /** How long the end waits for the release of the lease. */
  private static final Duration RELEASE_WAIT = Duration.ofSeconds(2);

  /** How long the end of a term waits for its writes. */
  private static final Duration WRITES_WAIT = Duration.ofMillis(500);

  private static final Duration FOREVER = Duration.ofDays(100_000);

  private final Transports transports;
  private final @Nullable LeaseTerms terms;
  private final List<ControllerFactory> controllers;
  private final @Nullable Runnable lost;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Semaphore end = new Semaphore(0);
  private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
  private volatile boolean leading;
  private volatile boolean closed;

  /**
   * The ways to the server.
   *
   * @param election the transport of the election, which waits for no other requests
   * @param own the transport of the informers, as the same user
   * @param accounts the transport of a service account in {@code kube-system}, by its name
   */
  public record Transports(
      ApiTransport election, ApiTransport own, Function<String, ApiTransport> accounts) {}

  /**
   * Not yet started.
   *
   * @param terms those of the election; null to act without one
   * @param controllers what to run
   * @param lost is called when the leadership is lost, after which the manager ends; null for one
   *     that becomes a candidate again
   * @param clock for times in objects
   * @param nanos a monotonic clock, in nanoseconds
   */
  public ControllerManager(
      Transports transports,
      @Nullable LeaseTerms terms,
      List<ControllerFactory> controllers,
      @Nullable Runnable lost,
      InstantSource clock,
      LongSupplier nanos) {
    this.transports = transports;
    this.terms = terms;
    this.controllers = List.copyOf(controllers);
    this.lost = lost;
    this.clock = clock;
    this.nanos = nanos;
  }

  /**
   * Begins in the background; called at most once. Does nothing when there is nothing to run, or
   * after {@link #close}.
   */
  public void start() {
    if (!controllers.isEmpty() && !closed) {
      Thread run = Thread.ofVirtual().name("controller-manager").unstarted(this::run);
      if (thread.compareAndSet(null, run)) {
        run.start();
      }
    }
  }

  /** Whether this process takes part in the election, or acts without one. */
  public boolean competes() {
    Thread running = thread.get();
    return running != null && running.isAlive();
  }

  /** Whether the controllers run. */
  public boolean leading() {
    return leading;
  }

  private void run() {
    try {
      if (terms == null) {
        try (Term term = new Term(LeaderWrites.withoutElection())) {
          term.begin();
          boolean unused = ended(FOREVER);
        }
      } else {
        compete(terms);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void compete(LeaseTerms election) throws InterruptedException {
    LeaderElector elector =
        new LeaderElector(
            new ApiClient(transports.election()), election, clock, nanos, Math::random);
    Term term = null;
    try {
      Duration wait;
      do {
        wait = attempt(elector, election);
        if (elector.leads() && term == null) {
          LOG.infof("event=became-leader lease=%s", election.lease());
          term = new Term(new LeaderWrites(elector::writeTime));
          term.begin();
        } else if (!elector.leads() && term != null) {
          LOG.warnf(
              "event=leadership-lost lease=%s error=%s", election.lease(), elector.lastFailure());
          term.close();
          term = null;
          if (lost != null) {
            lost.run();
            return;
          }
        }
      } while (!ended(wait));
    } finally {
      if (term != null) {
        term.close();
      }
    }
    if (term == null || term.settled()) {
      elector.release();
    } else {
      LOG.infof("event=lease-kept lease=%s reason=write-without-answer", election.lease());
    }
  }

  /** A defect costs an attempt, and the leadership when it lasts, but not the candidate. */
  private static Duration attempt(LeaderElector elector, LeaseTerms election)
      throws InterruptedException {
    try {
      return elector.step();
    } catch (RuntimeException e) {
      LOG.errorf(e, "event=election-failed lease=%s error=%s", election.lease(), e);
      return election.retryPeriod();
    }
  }

  private boolean ended(Duration wait) throws InterruptedException {
    return end.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    closed = true;
    end.release();
    Thread running = thread.get();
    if (running == null) {
      return;
    }
    try {
      if (!running.join(RELEASE_WAIT)) {
        running.interrupt();
        boolean unused = running.join(RELEASE_WAIT);
      }
    } catch (InterruptedException e) {
      running.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  /** The time of a leadership. Confined to the thread of the manager. */
  private final class Term implements AutoCloseable {

    private final LeaderWrites writes;
    private final SharedInformers informers =
        new SharedInformers(new ApiClient(transports.own()), nanos);
    private final List<RunningController> running;

    Term(LeaderWrites writes) {
      this.writes = writes;
      ControllerContext context =
          new ControllerContext(
              transports.own(), transports.accounts(), writes, informers, clock, nanos);
      running = controllers.stream().map(each -> RunningController.of(each, context)).toList();
    }

    void begin() {
      leading = true;
      informers.start();
      running.forEach(RunningController::start);
    }

    @Override
    public void close() {
      leading = false;
      writes.end();
      awaitWrites();
      running.forEach(RunningController::close);
      informers.close();
    }

    /** Lets writes come to their end, which is not known of one that is interrupted. */
    private void awaitWrites() {
      try {
        writes.awaitNone(WRITES_WAIT);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** Whether no write of this term can be done any more. */
    boolean settled() {
      return writes.settled();
    }
  }
}
