package dev.keelson.http.health;

import dev.keelson.http.Exchange;
import dev.keelson.request.LongRunning;
import dev.keelson.request.RequestInfo;
import dev.keelson.value.GoQuote;
import java.time.Duration;
import java.util.Locale;
import org.jboss.logging.Logger;

/**
 * The log of requests: one line for each that takes longer than a second, with the time of each
 * layer, as kube-apiserver's log has its {@code Trace} lines; requests that last as long as their
 * clients like have none. At level debug one line for every request (source: apiserver,
 * server/httplog).
 */
final class SlowRequests {

  private static final Logger LOG = Logger.getLogger(SlowRequests.class);

  static final Duration THRESHOLD = Duration.ofSeconds(1);

  private SlowRequests() {}

  /** Logs a request that has ended, if it was slow or all are logged. */
  static void ended(Exchange exchange, int status, long nanos, long bytes) {
    if (nanos > THRESHOLD.toNanos() && !LongRunning.is(exchange.info())) {
      LOG.info(line("slow-request", exchange, status, nanos, bytes));
    } else if (LOG.isDebugEnabled()) {
      LOG.debug(line("request", exchange, status, nanos, bytes));
    }
  }

  /** The line of a request; layers that took no time are left out. */
  static String line(String event, Exchange exchange, int status, long nanos, long bytes) {
    StringBuilder line = new StringBuilder("event=").append(event).append(" audit=");
    line.append(exchange.context().auditId());
    line.append(" verb=").append(verb(exchange.info()));
    line.append(" uri=").append(quoted(exchange.request().uri()));
    line.append(" user=").append(quoted(exchange.context().user().name()));
    line.append(" agent=").append(quoted(exchange.request().header("user-agent")));
    line.append(" status=").append(status);
    line.append(" bytes=").append(bytes);
    line.append(" total=").append(milliseconds(nanos));
    exchange
        .context()
        .latencies()
        .forEach(
            (layer, took) ->
                line.append(' ').append(layer.word()).append('=').append(milliseconds(took)));
    return line.toString();
  }

  private static String verb(RequestInfo info) {
    return switch (info) {
      case RequestInfo.Resource resource -> resource.verb().word();
      case RequestInfo.NonResource other -> other.verb();
    };
  }

  private static String milliseconds(long nanos) {
    return String.format(Locale.ROOT, "%.1fms", nanos / 1e6);
  }

  /** What clients choose stays within its quotes and on its line. */
  private static String quoted(String text) {
    return GoQuote.quote(text);
  }
}
