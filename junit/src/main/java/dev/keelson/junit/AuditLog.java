package dev.keelson.junit;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The requests that a server has answered since this log was begun, and what a test claims about
 * them. Safe for use by several threads.
 *
 * <pre>{@code
 * audit.of("my-operator").verb("patch").resource("widgets/status").exactly(1);
 * }</pre>
 *
 * The claims wait for up to ten seconds for requests that are still missing, and fail as soon as
 * there are too many. That there are no more is only said of the time until the claim: wait first
 * for what the last of them brings about.
 */
public final class AuditLog {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long PAUSE_MILLIS = 10;

  /** How many requests a failure lists. */
  private static final int SHOWN = 50;

  private final KeelsonServer server;
  private final long begin;
  private final Predicate<String> others;

  private AuditLog(KeelsonServer server, long begin, Predicate<String> others) {
    this.server = server;
    this.begin = begin;
    this.others = others;
  }

  static AuditLog from(KeelsonServer server) {
    return from(server, namespace -> false);
  }

  /**
   * The log of a test that shares the server.
   *
   * @param others whether a namespace belongs to another test, whose requests are left out
   */
  static AuditLog from(KeelsonServer server, Predicate<String> others) {
    return new AuditLog(server, server.auditFile().toFile().length(), others);
  }

  /**
   * All requests that were answered, in the order of their ends; without those in the namespaces of
   * other test classes, which may run at the same time on the same server.
   */
  public List<AuditEvent> events() {
    byte[] part;
    try (RandomAccessFile file = new RandomAccessFile(server.auditFile().toFile(), "r")) {
      part = new byte[Math.toIntExact(Math.max(0, file.length() - begin))];
      file.seek(begin);
      file.readFully(part);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the audit log", e);
    }
    List<AuditEvent> events = new ArrayList<>();
    String text = new String(part, StandardCharsets.UTF_8);
    // a line without its end is still being written
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n")) {
      if (!line.isBlank() && server.embedded().readJson(line) instanceof Map<?, ?> event) {
        AuditEvent each = AuditEvent.of(event);
        if (!others.test(each.namespace())) {
          events.add(each);
        }
      }
    }
    return events;
  }

  /** All requests. */
  public Selection all() {
    return new Selection("requests", event -> true);
  }

  /** The requests of a user. */
  public Selection of(String user) {
    return all().user(user);
  }

  /** Some of the requests. */
  public final class Selection {

    private final String text;
    private final Predicate<AuditEvent> matches;

    private Selection(String text, Predicate<AuditEvent> matches) {
      this.text = text;
      this.matches = matches;
    }

    private Selection and(String more, Predicate<AuditEvent> also) {
      return new Selection(text + " " + more, matches.and(also));
    }

    /** Those of a user. */
    public Selection user(String user) {
      return and("of " + user, event -> event.user().equals(user));
    }

    /** Those of clients whose user agent begins with a text. */
    public Selection userAgent(String prefix) {
      return and("by " + prefix, event -> event.userAgent().startsWith(prefix));
    }

    /**
     * Those of one of the verbs.
     *
     * @throws IllegalArgumentException if a verb is none of Kubernetes
     */
    public Selection verb(String... verbs) {
      List<String> all = Verbs.checked(verbs);
      return and("with verb " + String.join("|", all), event -> all.contains(event.verb()));
    }

    /** Those that change something: create, update, patch, delete and deletecollection. */
    public Selection writes() {
      return verb("create", "update", "patch", "delete", "deletecollection");
    }

    /** Those for a resource, as in RBAC: {@code pods}, {@code pods/status}. */
    public Selection resource(String resource) {
      return and("for " + resource, event -> event.resource().equals(resource));
    }

    /** Those in a namespace. */
    public Selection namespace(String namespace) {
      return and("in " + namespace, event -> event.namespace().equals(namespace));
    }

    /** Those for objects of a name. */
    public Selection name(String name) {
      return and("named " + name, event -> event.name().equals(name));
    }

    /** Those that were answered with an HTTP status. */
    public Selection code(int code) {
      return and("answered " + code, event -> event.code() == code);
    }

    /** Those that were answered 2xx. */
    public Selection succeeded() {
      return and("that succeeded", AuditEvent::succeeded);
    }

    /** Those that a condition holds for. */
    public Selection matching(String name, Predicate<AuditEvent> condition) {
      return and(name, condition);
    }

    /** The selected requests so far. */
    public List<AuditEvent> events() {
      return AuditLog.this.events().stream().filter(matches).toList();
    }

    /**
     * Claims that there are none so far.
     *
     * @throws AssertionError if there are
     */
    public void none() {
      exactly(0);
    }

    /**
     * Claims that there are so many, after waiting for those that are missing.
     *
     * @return the requests
     * @throws AssertionError if there are more, or less after ten seconds
     */
    public List<AuditEvent> exactly(int count) {
      List<AuditEvent> found = await(count);
      if (found.size() != count) {
        throw failure("exactly " + count, found);
      }
      return found;
    }

    /**
     * Claims that there are so many or more, after waiting for those that are missing.
     *
     * @return the requests
     * @throws AssertionError if there are less after ten seconds
     */
    public List<AuditEvent> atLeast(int count) {
      List<AuditEvent> found = await(count);
      if (found.size() < count) {
        throw failure("at least " + count, found);
      }
      return found;
    }

    private List<AuditEvent> await(int count) {
      long begin = System.nanoTime();
      List<AuditEvent> found = events();
      while (found.size() < count && System.nanoTime() - begin < PATIENCE.toNanos()) {
        try {
          Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return found;
        }
        found = events();
      }
      return found;
    }

    private AssertionError failure(String expected, List<AuditEvent> found) {
      StringBuilder message = new StringBuilder();
      message.append("expected ").append(expected).append(' ').append(text);
      message.append(", but there are ").append(found.size());
      if (found.isEmpty()) {
        message.append("; all requests:");
        list(AuditLog.this.events(), message);
      } else {
        list(found, message);
      }
      return new AssertionError(message.toString());
    }

    private static void list(List<AuditEvent> events, StringBuilder message) {
      int from = Math.max(0, events.size() - SHOWN);
      if (from > 0) {
        message.append("\n  (").append(from).append(" before)");
      }
      events.subList(from, events.size()).forEach(event -> message.append("\n  ").append(event));
    }
  }
}
