package dev.keelson.client.election;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.Written;
import dev.keelson.object.ApiObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A candidate for the leadership that a Lease stands for (source: client-go's {@code
 * tools/leaderelection}). Has no thread: {@link #step} is called again and again by one thread.
 *
 * <p>Only intervals of the monotonic clock count; the times in the Lease are for people. A
 * candidate waits for the lease's duration after it has seen the last renewal; the leader stops
 * acting when the renew deadline has passed since it began its last renewal, whether or not a call
 * is still under way. The difference of the two, 5 seconds by default, is left for the writes that
 * are under way then: {@link #writeTime}.
 *
 * <p>The monotonic clock of a machine may stand still while the machine sleeps. Therefore no write
 * begins either when the clock of the day says that the renew deadline has passed, until the lease
 * has been renewed; a clock that is set costs at most the writes of one retry period.
 */
public final class LeaderElector {

  /** The API resource of Leases. */
  public static final GroupVersionResource RESOURCE =
      new GroupVersion("coordination.k8s.io", "v1").resource("leases");

  private static final Logger LOG = Logger.getLogger(LeaderElector.class);
  private static final double JITTER = 1.2;

  /** By how much the clocks of two machines may differ in speed: one in so many. */
  private static final int CLOCK_ERROR = 100;

  private final ApiClient client;
  private final LeaseTerms terms;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final DoubleSupplier random;

  /** The lease as this candidate has seen it last, or null. Written by the thread of the steps. */
  private volatile @Nullable LeaseRecord observed;

  /** When the observed lease was seen first. Confined to the thread of the steps. */
  private long observedAt;

  /** Why the last failed attempt failed; empty if none has. */
  private volatile String lastFailure = "";

  /** The last renewal; null if this candidate does not hold the lease. */
  private volatile @Nullable Renewal renewal;

  /**
   * A successful renewal.
   *
   * @param nanos when it began, by the monotonic clock
   * @param time when it began, by the clock of the day
   */
  private record Renewal(long nanos, Instant time) {}

  /**
   * A candidate that does not lead.
   *
   * @param clock the times in the Lease
   * @param nanos a monotonic clock, in nanoseconds
   * @param random between 0 and 1; spreads the attempts of candidates
   */
  public LeaderElector(
      ApiClient client,
      LeaseTerms terms,
      InstantSource clock,
      LongSupplier nanos,
      DoubleSupplier random) {
    this.client = client;
    this.terms = terms;
    this.clock = clock;
    this.nanos = nanos;
    this.random = random;
  }

  /** Whether this candidate may act as the leader at this moment. */
  public boolean leads() {
    Renewal last = renewal;
    return last != null && leadsSince(last);
  }

  private boolean leadsSince(Renewal last) {
    return nanos.getAsLong() - last.nanos() < terms.renewDeadline().toNanos();
  }

  /**
   * How long a write that begins now may take, so that it is over before another candidate may
   * lead; zero if none may begin.
   */
  public Duration writeTime() {
    Renewal last = renewal;
    if (last == null
        || !leadsSince(last)
        || !clock.instant().isBefore(last.time().plus(terms.renewDeadline()))) {
      return Duration.ZERO;
    }
    Duration others = terms.duration().minus(terms.duration().dividedBy(CLOCK_ERROR));
    Duration left = others.minusNanos(nanos.getAsLong() - last.nanos());
    return left.isNegative() ? Duration.ZERO : left;
  }

  /**
   * Tries once to acquire or renew the lease; at most for the rest of the renew deadline.
   *
   * @return how long to wait for the next step
   */
  public Duration step() throws InterruptedException {
    long begin = nanos.getAsLong();
    Instant time = clock.instant();
    LeaseRecord known = observed;
    long knownAt = observedAt;
    boolean leading = leads();
    try {
      Attempt done = within(left(begin), () -> acquireOrRenew(known, knownAt, leading, begin));
      if (known == null || !known.version().equals(done.lease().version())) {
        observed = done.lease();
        observedAt = begin;
      }
      // another holder has waited or has taken it by force
      renewal = done.renewed() ? new Renewal(begin, time) : null;
    } catch (TimeoutException | ApiException e) {
      // another attempt follows; without a successful one in time the leadership ends
      lastFailure = e.toString();
    }
    boolean still = leads();
    if (!still) {
      renewal = null;
    }
    double spread = still ? 1 : 1 + JITTER * random.getAsDouble();
    return Duration.ofNanos((long) (terms.retryPeriod().toNanos() * spread));
  }

  /** The leader's attempt ends with its leadership, that of others after the same time. */
  private long left(long now) {
    long deadline = terms.renewDeadline().toNanos();
    Renewal last = renewal;
    return last != null && leadsSince(last)
        ? Math.max(1, deadline - (now - last.nanos()))
        : deadline;
  }

  /** Why the last attempt that failed did so; empty if none has. */
  public String lastFailure() {
    return lastFailure;
  }

  /** Gives the lease back if this candidate holds it, so that others need not wait. */
  public void release() throws InterruptedException {
    LeaseRecord current = observed;
    boolean mine = renewal != null;
    renewal = null;
    if (mine && current != null && current.holder().equals(terms.identity())) {
      try {
        Written unused = client.update(RESOURCE, current.released(clock.instant()));
      } catch (ApiException e) {
        // somebody else has it, or will after its duration
        LOG.debugf("event=lease-not-released lease=%s error=%s", terms.lease(), e.text());
      }
    }
  }

  /** The lease after an attempt, and whether this candidate holds it. */
  private record Attempt(LeaseRecord lease, boolean renewed) {}

  /** Runs an attempt on a thread of its own, since a call may hang for longer than it may last. */
  private static Attempt within(long nanos, Callable<Attempt> attempt)
      throws InterruptedException, TimeoutException {
    FutureTask<Attempt> task = new FutureTask<>(attempt);
    Thread unused = Thread.ofVirtual().name("leader-election").start(task);
    try {
      return task.get(nanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ApiException refused) {
        throw refused;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      boolean unused2 = task.cancel(/* mayInterruptIfRunning= */ true);
    }
  }

  private Attempt acquireOrRenew(
      @Nullable LeaseRecord known, long knownAt, boolean leading, long now)
      throws InterruptedException {
    if (known != null && leading) {
      try {
        return new Attempt(new LeaseRecord(client.update(RESOURCE, next(known)).object()), true);
      } catch (ApiException e) {
        LOG.debugf("event=lease-changed lease=%s error=%s", terms.lease(), e.text());
      }
    }
    Optional<ApiObject> found =
        client.get(RESOURCE, terms.lease().namespace(), terms.lease().name());
    if (found.isEmpty()) {
      ApiObject made = client.create(RESOURCE, next(LeaseRecord.none(terms.lease()))).object();
      return new Attempt(new LeaseRecord(made), true);
    }
    LeaseRecord current = new LeaseRecord(found.get());
    long seenAt = known != null && known.version().equals(current.version()) ? knownAt : now;
    boolean free = current.holder().isEmpty() || current.holder().equals(terms.identity());
    if (!free && now - seenAt < current.duration().toNanos()) {
      return new Attempt(current, false);
    }
    return new Attempt(new LeaseRecord(client.update(RESOURCE, next(current)).object()), true);
  }

  private ApiObject next(LeaseRecord current) {
    return current.heldBy(terms.identity(), terms.duration(), clock.instant());
  }

  /** Who holds the lease, as far as this candidate knows; empty if nobody does. */
  public String leader() {
    LeaseRecord known = observed;
    return known == null ? "" : known.holder();
  }
}
