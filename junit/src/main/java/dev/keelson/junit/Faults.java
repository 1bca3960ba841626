package dev.keelson.junit;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What goes wrong, and when: answers of requests, watches, connections, the store. Requests of the
 * server's own controllers are not refused. Safe for use by several threads.
 *
 * <pre>{@code
 * server.faults().on("update", "patch").resource("widgets/status").times(2).conflict();
 * }</pre>
 */
public final class Faults {

  private static final String CONFLICT = "Conflict";

  private final Embedded embedded;

  Faults(Embedded embedded) {
    this.embedded = embedded;
  }

  /** A fault that is active until it is closed. */
  public final class Active implements AutoCloseable {

    private final long id;

    private Active(long id) {
      this.id = id;
    }

    /** How many requests it has affected. */
    public long hits() {
      return embedded.faultHits(id);
    }

    /** Ends the fault; may be called twice. */
    @Override
    public void close() {
      embedded.removeFault(id);
    }
  }

  /** Which requests are affected; ends with what happens to them. */
  public final class Matching {

    private final Map<String, Object> fault = new HashMap<>();

    private Matching(List<String> verbs) {
      fault.put("verbs", verbs);
    }

    private Matching with(String key, Object value) {
      fault.put(key, value);
      return this;
    }

    /**
     * Only requests for a resource, as in RBAC: {@code pods}, {@code pods/status}, {@code pods/*}.
     */
    public Matching resource(String resource) {
      return with("resource", resource);
    }

    /** Only requests for an API group. */
    public Matching group(String group) {
      return with("group", group);
    }

    /** Only requests in a namespace. */
    public Matching namespace(String namespace) {
      return with("namespace", namespace);
    }

    /** Only requests for objects of a name. */
    public Matching name(String name) {
      return with("name", name);
    }

    /** Only requests of a user. */
    public Matching user(String user) {
      return with("user", user);
    }

    /**
     * Only the next requests that match; without it, all.
     *
     * @param count at least 1
     */
    public Matching times(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("not a number of requests: " + count);
      }
      return with("times", count);
    }

    /** They wait before anything else happens. */
    public Matching after(Duration delay) {
      return with("delayMillis", delay.toMillis());
    }

    /** They are answered 409 with reason Conflict. */
    public Active conflict() {
      return fail(409, CONFLICT);
    }

    /** They are answered 429 with reason TooManyRequests. */
    public Active tooManyRequests(int retryAfterSeconds) {
      return with("retryAfterSeconds", retryAfterSeconds).fail(429, "TooManyRequests");
    }

    /** They are answered 500 with reason InternalError. */
    public Active internalError() {
      return fail(500, "InternalError");
    }

    /** They are answered 503 with reason ServiceUnavailable. */
    public Active unavailable() {
      return fail(503, "ServiceUnavailable");
    }

    /** They are answered 410 with reason Expired, as watches and continued lists are at times. */
    public Active expired() {
      return fail(410, "Expired");
    }

    /**
     * They are answered a Status.
     *
     * @param code the HTTP status, 400 to 599
     * @param reason its reason; may be empty
     */
    public Active fail(int code, String reason) {
      if (code < 400 || code > 599) {
        throw new IllegalArgumentException("no error: " + code);
      }
      return with("code", code).with("reason", reason).add();
    }

    /** They wait, and are then answered as usual. */
    public Active delay(Duration delay) {
      return after(delay).add();
    }

    private Active add() {
      return new Active(embedded.addFault(fault));
    }
  }

  /**
   * Begins a fault of requests for resources.
   *
   * @param verbs the verbs, as in RBAC; none for all
   * @throws IllegalArgumentException if a verb is none of Kubernetes
   */
  public Matching on(String... verbs) {
    return new Matching(Verbs.checked(verbs));
  }

  /** Ends all watches, as a server does from time to time; clients begin new ones. */
  public void endWatches() {
    embedded.endWatches();
  }

  /** Closes all connections, with watches and requests on them. */
  public void cutConnections() {
    embedded.cutConnections();
  }

  /** Delays all reads and writes of the store, until the result is closed. */
  public AutoCloseable slowStore(Duration reads, Duration writes) {
    embedded.delayStore(reads, writes);
    return () -> embedded.delayStore(Duration.ZERO, Duration.ZERO);
  }

  /** The store cannot be reached, until the result is closed. */
  public AutoCloseable storeAway() {
    embedded.storeAway(true);
    return () -> embedded.storeAway(false);
  }
}
