package dev.keelson.http;

import dev.keelson.api.ApiException;
import dev.keelson.api.Verb;
import dev.keelson.request.RequestInfo;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long one request may take: what its parameter {@code timeout} asks for, in Go's form of
 * durations, up to the server's bound. Watches and connections to nodes have no end by this
 * (source: endpoints/filters/request_deadline.go).
 */
final class RequestTimeout {

  private static final String PARAMETER = "timeout";
  private static final Set<String> CONNECTIONS =
      Set.of("attach", "exec", "log", "portforward", "proxy");
  private static final Pattern PART = Pattern.compile("([0-9]*\\.?[0-9]*)([^0-9.]*)");
  private static final Map<String, Long> UNIT_NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private RequestTimeout() {}

  /**
   * The time that {@code request} has.
   *
   * @param info tells what it is about; asked only if the client says something
   * @param most the server's bound, which also counts where the client says nothing, or no positive
   *     time
   * @throws ApiException BadRequest if what the client says is no duration
   */
  static Duration of(ApiRequest request, Supplier<RequestInfo> info, Duration most) {
    String text = request.query().first(PARAMETER);
    if (text.isEmpty() || isLong(info.get())) {
      return most;
    }
    Duration wanted = parse(text);
    return wanted.isPositive() && wanted.compareTo(most) < 0 ? wanted : most;
  }

  private static boolean isLong(RequestInfo info) {
    return info instanceof RequestInfo.Resource resource
        && (resource.verb() == Verb.WATCH || CONNECTIONS.contains(resource.subresource()));
  }

  private static Duration parse(String text) {
    boolean negative = text.startsWith("-");
    String rest = negative || text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return Duration.ZERO;
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher part = PART.matcher(rest);
    int at = 0;
    while (at < rest.length() && part.find(at)) {
      String number = part.group(1);
      String unit = part.group(2);
      if (number.isEmpty() || number.equals(".")) {
        throw refused("invalid duration", text);
      }
      if (unit.isEmpty()) {
        throw refused(
            part.end() == rest.length() ? "missing unit in duration" : "invalid duration", text);
      }
      Long size = UNIT_NANOS.get(unit);
      if (size == null) {
        throw refused("unknown unit \"" + unit + "\" in duration", text);
      }
      nanos = nanos.add(new BigDecimal(number).multiply(BigDecimal.valueOf(size)));
      at = part.end();
    }
    if (rest.isEmpty() || nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw refused("invalid duration", text);
    }
    long length = nanos.longValue();
    return Duration.ofNanos(negative ? -length : length);
  }

  private static ApiException refused(String why, String text) {
    return ApiException.badRequest(
        "invalid timeout specified in the request URL - time: " + why + " \"" + text + '"');
  }
}
