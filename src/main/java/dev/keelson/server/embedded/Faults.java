package dev.keelson.server.embedded;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.RequestInfo;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The faults of a test, in the order in which they were added. They lie behind all filters, where
 * the verb of the request would begin: a refused request is authenticated, authorized, counted and
 * audited like one that the server refuses itself. Requests of the server's own parts are not
 * affected. Safe for use by several threads.
 */
public final class Faults {

  /** The user agents of the parts of the server. */
  private static final String OWN_AGENT = "keelson/";

  private final ConcurrentSkipListMap<Long, Fault> faults = new ConcurrentSkipListMap<>();
  private final AtomicLong ids = new AtomicLong();

  /** Returns the verbs behind the faults. */
  public RequestHandler around(RequestHandler verbs) {
    return exchange -> answer(exchange, verbs);
  }

  /**
   * Adds a fault.
   *
   * @param wanted {@code verbs} (a list of strings), {@code group}, {@code resource} (as in RBAC),
   *     {@code namespace}, {@code name}, {@code user}: what a request must have, if given; {@code
   *     code}, {@code reason}, {@code message}, {@code retryAfterSeconds}, {@code delayMillis}:
   *     what happens to it; {@code times}: to how many
   * @return the number of the fault
   */
  public long add(Map<String, ?> wanted) {
    Set<String> verbs = new HashSet<>();
    if (wanted.get("verbs") instanceof List<?> list) {
      list.forEach(verb -> verbs.add(String.valueOf(verb)));
    }
    Fault.Match match =
        new Fault.Match(
            verbs,
            text(wanted, "group"),
            text(wanted, "resource"),
            text(wanted, "namespace"),
            text(wanted, "name"),
            text(wanted, "user"));
    Fault.Effect effect =
        new Fault.Effect(
            (int) number(wanted, "code", 0),
            text(wanted, "reason"),
            text(wanted, "message"),
            (int) number(wanted, "retryAfterSeconds", 0),
            Duration.ofMillis(number(wanted, "delayMillis", 0)));
    long id = ids.incrementAndGet();
    faults.put(id, new Fault(match, effect, number(wanted, "times", -1)));
    return id;
  }

  /**
   * Removes a fault.
   *
   * @return how many requests it affected; 0 if there is none of this number
   */
  public long remove(long id) {
    Fault fault = faults.remove(id);
    return fault == null ? 0 : fault.hits();
  }

  /** How many requests a fault has affected; 0 if there is none of this number. */
  public long hits(long id) {
    Fault fault = faults.get(id);
    return fault == null ? 0 : fault.hits();
  }

  private ApiResponse answer(Exchange exchange, RequestHandler verbs) {
    if (!faults.isEmpty()
        && exchange.info() instanceof RequestInfo.Resource info
        && !isOwn(exchange)) {
      try {
        for (Fault fault : faults.values()) {
          fault.affect(exchange, info);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ApiException(Reason.SERVICE_UNAVAILABLE, "the server is stopping");
      }
    }
    return verbs.answer(exchange);
  }

  private static boolean isOwn(Exchange exchange) {
    List<String> agents = exchange.request().headers().getOrDefault("user-agent", List.of());
    return !agents.isEmpty() && agents.getFirst().startsWith(OWN_AGENT);
  }

  private static String text(Map<String, ?> wanted, String key) {
    @Nullable Object value = wanted.get(key);
    return value == null ? "" : value.toString();
  }

  private static long number(Map<String, ?> wanted, String key, long missing) {
    return wanted.get(key) instanceof Number number ? number.longValue() : missing;
  }
}
