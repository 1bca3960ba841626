package dev.keelson.server.embedded;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.http.Exchange;
import dev.keelson.request.RequestInfo;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What happens to the requests for a resource that match: they wait, are refused, or both. Safe for
 * use by several threads.
 */
final class Fault {

  /**
   * Which requests; an empty set or text matches all.
   *
   * @param resource as in RBAC: {@code pods} without subresources, {@code pods/status}, {@code
   *     pods/*} with all
   */
  record Match(
      Set<String> verbs,
      String group,
      String resource,
      String namespace,
      String name,
      String user) {

    Match {
      verbs = Set.copyOf(verbs);
    }

    boolean matches(RequestInfo.Resource info, String by) {
      return (verbs.isEmpty() || verbs.contains(info.verb().word()))
          && matches(group, info.groupVersion().group())
          && ofResource(info)
          && matches(namespace, info.namespace())
          && matches(name, info.name())
          && matches(user, by);
    }

    private boolean ofResource(RequestInfo.Resource info) {
      String of = info.subresource();
      return resource.isEmpty()
          || resource.equals(of.isEmpty() ? info.resource() : info.resource() + "/" + of)
          || resource.equals(info.resource() + "/*");
    }

    private static boolean matches(String wanted, String actual) {
      return wanted.isEmpty() || wanted.equals(actual);
    }
  }

  /**
   * What happens.
   *
   * @param code the HTTP status, at least 400; 0 for no refusal
   * @param reason the reason of the Status; may be empty
   * @param message the message; empty for one that names the fault
   * @param retryAfterSeconds what clients are asked to wait; 0 for nothing
   * @param delay how long the request waits first
   */
  record Effect(int code, String reason, String message, int retryAfterSeconds, Duration delay) {}

  private final Match match;
  private final Effect effect;

  /** Requests left that match; negative for any number. */
  private final AtomicLong left;

  private final AtomicLong hits = new AtomicLong();

  /**
   * @param times how many requests are affected; negative for all
   */
  Fault(Match match, Effect effect, long times) {
    this.match = match;
    this.effect = effect;
    left = new AtomicLong(times);
  }

  /** How many requests were affected. */
  long hits() {
    return hits.get();
  }

  /**
   * Affects the request if it matches and some are left.
   *
   * @throws ApiException the refusal
   * @throws InterruptedException while the request waits
   */
  void affect(Exchange exchange, RequestInfo.Resource info) throws InterruptedException {
    if (!match.matches(info, exchange.context().user().name())
        || left.getAndUpdate(now -> now > 0 ? now - 1 : now) == 0) {
      return;
    }
    hits.incrementAndGet();
    if (effect.delay.isPositive()) {
      Thread.sleep(effect.delay);
    }
    if (effect.code > 0) {
      throw refusal(info);
    }
  }

  private ApiException refusal(RequestInfo.Resource info) {
    ErrorDetails details = ErrorDetails.of(info.groupResource(), info.name());
    if (effect.retryAfterSeconds > 0) {
      details = details.withRetryAfterSeconds(effect.retryAfterSeconds);
    }
    if (effect.message.isEmpty() && effect.reason.equals(Reason.CONFLICT.word())) {
      return ApiException.conflict(
          info.groupResource(),
          info.name(),
          "the object has been modified; please apply your changes to the latest version and try"
              + " again");
    }
    String message = effect.message.isEmpty() ? "a fault of the test" : effect.message;
    return ApiException.ofStatus(effect.code, effect.reason, message, details);
  }
}
